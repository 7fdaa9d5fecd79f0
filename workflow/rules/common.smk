"""What all rules share: the checked config, lists of targets, digests of code.

Needs:    config.yaml, workflow/schemas/*.schema.yaml
Provides: SEEDS, GRIDS, MOLECULES, wildcard constraints and the functions below
"""

import importlib.util
import os
import shlex
import sys
from pathlib import Path

import yaml

ROOT = Path(workflow.basedir)
# Jobs find the package in the checkout, also in conda environments and notebooks' kernels.
os.environ.update(PYTHONPATH=str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "src"))
# Snakemake puts it into command lines as it is; in a folder with spaces it would fall apart.
sys.executable = shlex.quote(sys.executable)

from gicnn import circumstances, provenance
from gicnn.models.ablations import with_ablations
from gicnn.models.preflight import check_graphs, check_models, check_paths
from gicnn.models.registry import component_modules
from gicnn.validation import check_sections

SCHEMAS = {
    path.name.removesuffix(".schema.yaml"): yaml.safe_load(path.read_text())
    for path in (ROOT / "workflow/schemas/config").glob("*.schema.yaml")
}
try:
    check_sections(config, SCHEMAS)
    config.update(with_ablations(config))
    check_sections(config, SCHEMAS)
    check_models(config["models"])
    check_graphs(config["datasets"], config["models"])
    check_paths(config["datasets"], config["levelsets"])
    # Costs a second, and saves the results of before. A cluster's nodes are not asked.
    torch_is_here = importlib.util.find_spec("torch") is not None  # else jobs have their own
    if workflow.is_main_process and torch_is_here and config["device"].startswith("cuda"):
        from gicnn.training.device import choose_device

        choose_device(config["device"])
except ValueError as error:
    raise WorkflowError(f"config: {error}")


def origin(name: str) -> str:
    """The dataset or model that an ablation was made of; any other is its own."""
    return name.split("-")[0]


def rising(amount: int):
    """An amount of memory or time for a job; where a profile has retries, more at each."""
    return lambda wildcards, attempt: amount * attempt


SEEDS = config["seeds"]
GRIDS = [name for name, section in config["datasets"].items() if "function" in section]
RECORDED = "results/reference/ablations"
MOLECULES = [name for name in config["datasets"] if origin(name) == "qm9"]


wildcard_constraints:
    dataset="|".join(config["datasets"]),
    model="|".join({name for models in config["models"].values() for name in models}),
    seed=r"\d+",
    grid="|".join(GRIDS),
    molecules="|".join(MOLECULES),


def repository(path: str | Path) -> str:
    """A file of the repository, by links in the working directory, so that both can move."""
    return str(circumstances.checkout() / path)


def code_digest(script: str, *modules: str) -> str:
    """Digest of a script and of the modules it imports, for a rule's params."""
    return provenance.code_digest(ROOT / f"workflow/scripts/{script}.py", *modules)


def notebook_digest(notebook: str) -> str:
    """Digest of a notebook, of the script that runs it and of the modules both import."""
    path = ROOT / f"workflow/notebooks/{notebook}.ipynb"
    return provenance.code_digest(path) + code_digest("run_notebook")


def model_settings(wildcards) -> dict:
    """The config section of one model."""
    known = config["models"][wildcards.dataset]
    if wildcards.model not in known:
        raise WorkflowError(
            f"{wildcards.dataset} has no model {wildcards.model!r}; there are: {', '.join(known)}"
        )
    return known[wildcards.model]


def model_code(script: str):
    """Digest of a script with the components of the model at hand, by wildcards."""
    return lambda wildcards: code_digest(script, *component_modules(model_settings(wildcards)))


def trained() -> list[dict]:
    """Dataset, model and seed of each training."""
    return [
        {"dataset": dataset, "model": model, "seed": seed}
        for dataset, models in config["models"].items()
        for model in models
        for seed in SEEDS
    ]


def gpus_of_a_training() -> int:
    """1 where the config lets a training take a GPU and this machine has one, else 0."""
    return int(config["device"] != "cpu" and circumstances.has_gpu())


def run_settings(wildcards, output) -> dict:
    """The folder that is being described, and all settings."""
    return {"root": str(Path(output[0]).parent), "config": config}


def each_model(pattern: str) -> list[str]:
    """A path for each training."""
    return [pattern.format(**training) for training in trained()]


def level_set_summaries() -> list[str]:
    """A path for each level set: every model of the grids, the cycle models of the others."""
    pattern = "results/levelsets/{dataset}/{model}/seed-{seed}/summary.json"
    return [
        pattern.format(**training)
        for training in trained()
        if training["dataset"] in GRIDS
        or (
            training["dataset"] in config["levelsets"] and training["model"] == "gicnn_approximate"
        )
    ]


def asks_for_atoms(dataset: str) -> bool:
    """Whether molecules must have some number of some atoms, which few of QM9's have."""
    return any((config["datasets"][dataset]["build"]["stoichiometry"] or {}).values())


def graph_settings(dataset: str = "qm9") -> dict | None:
    """How molecules are written as graphs; None for a dataset of something else."""
    if dataset not in MOLECULES:
        return None
    build = config["datasets"][dataset]["build"]
    return {key: build[key] for key in ("elements", "max_atoms", "ordering")}


def printed(claim: str) -> float:
    """The number that the paper prints for a claim's first measurement."""
    ledger = yaml.safe_load((ROOT / "workflow/resources/claims.yaml").read_text("utf-8"))
    return next(c for c in ledger["claims"] if c["id"] == claim)["measurements"][0]["printed"]


def comparable() -> list[str]:
    """Datasets with the two models that a verdict compares."""
    return [
        name for name, models in config["models"].items() if {"gicnn", "baseline"} <= {*models}
    ]


def verdicts() -> list[str]:
    """A path for each dataset and seed where it is asked whether level sets are connected."""
    pattern = "results/evaluation/{dataset}/connectedness/seed-{seed}.json"
    return expand(pattern, dataset=comparable(), seed=SEEDS)


def ablation_metrics(_) -> list[str]:
    """A path for each model of a dataset with ablations, the unchanged ones first."""
    if not config["ablations"]:
        raise WorkflowError(
            "config: ablations is empty; take --configfile config.yaml "
            "workflow/recipes/ablations.yaml, or name some"
        )
    pattern = "results/evaluation/{dataset}/{model}/seed-{seed}/metrics.json"
    return [pattern.format(**t) for t in trained() if origin(t["dataset"]) in config["ablations"]]


def recorded() -> list[str]:
    """What the kept run of the recipe ablations measured of each model."""
    patterns = ("evaluation/*/*/seed-*/metrics.json", "levelsets/*/*/seed-*/summary.json")
    found = (path for pattern in patterns for path in ROOT.glob(f"{RECORDED}/{pattern}"))
    return sorted(repository(path.relative_to(ROOT)) for path in found)


def evidence() -> list[str]:
    """Every file that a claim may rest on."""
    return [
        *each_model("results/evaluation/{dataset}/{model}/seed-{seed}/metrics.json"),
        *each_model("results/evaluation/{dataset}/{model}/seed-{seed}/certificate.json"),
        *verdicts(),
        *level_set_summaries(),
        *expand(
            "results/levelsets/{dataset}/gicnn_approximate/seed-{seed}/paths.json",
            dataset=["fashion_mnist", "qm9"],
            seed=SEEDS,
        ),
        *expand("results/levelsets/qm9/gicnn_approximate/seed-{seed}/samples.json", seed=SEEDS),
        *expand("results/data/{dataset}/card.json", dataset=config["datasets"]),
        *expand("results/figures/figure_{name}.parquet", name=FIGURES),
    ]


def everything() -> list[str]:
    """What a complete run leaves behind."""
    return [
        "results/claims.json",
        *each_model("results/models/{dataset}/{model}/seed-{seed}/weights.safetensors"),
        *each_model("results/models/{dataset}/{model}/seed-{seed}/history.parquet"),
        *each_model("results/models/{dataset}/{model}/seed-{seed}/run.json"),
        *expand("results/figures/figure_{name}.{form}", name=FIGURES, form=["svg", "png"]),
        *expand("results/notebooks/figure_{name}.{form}", name=FIGURES, form=["ipynb", "html"]),
        *(["results/ablations.csv"] if config["ablations"] else []),
        *evidence(),
    ]
