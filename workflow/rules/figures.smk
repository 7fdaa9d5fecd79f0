"""Draw the paper's figures, each from a notebook of its own.

Needs:    results/levelsets/{dataset}/{model}/seed-{seed}/*.parquet, *.json (levelset.smk)
          results/models/qm9/{model}/seed-{seed}/history.parquet            (train.smk)
          results/raw/qm9pack-*.whl, results/data/qm9/card.json             (data.smk)
Provides: results/figures/figure_{1..6,5_statistics,5_pairs,6_statistics,training}.{svg,png,parquet}
          results/notebooks/figure_{1..6,5_statistics,5_pairs,6_statistics,training}.{ipynb,html}
          FIGURES

Of several seeds, the figures show the first: curves of different seeds cannot be averaged into
one picture. A notebook that stops at an error is kept, as far as it came, beside its log.
"""


def _level_sets(dataset: str, model: str, *files: str, prefix: str = "") -> dict[str, str]:
    """Files of a model's level sets, named by what they are."""
    folder = f"results/levelsets/{dataset}/{model}/seed-{SEEDS[0]}"
    return {prefix + Path(file).stem: f"{folder}/{file}" for file in files}


_CURVES = ["level_curves.parquet", "minima.parquet"]
_LANDSCAPE = [*_CURVES, "landscape.parquet"]

# What each figure's notebook reads.
FIGURES = {
    # One level curve of the Rosenbrock function, in input space and in latent space.
    "1": _level_sets("rosenbrock", "gicnn", *_CURVES),
    # The rays that find a level curve of the Rosenbrock function.
    "2": _level_sets("rosenbrock", "gicnn", *_LANDSCAPE),
    # Several level curves of the Rosenbrock function, and their error far beyond the data.
    "3": _level_sets("rosenbrock", "gicnn", *_LANDSCAPE, "extrapolation.parquet"),
    # Level curves of the Gaussian mixture, with and without input convexity.
    "4": (
        _level_sets("gaussian_mixture", "gicnn", *_LANDSCAPE, prefix="gicnn_")
        | _level_sets("gaussian_mixture", "baseline", *_LANDSCAPE, prefix="baseline_")
    ),
    # Pictures on a path along one level of the rotation angle.
    "5": _level_sets("fashion_mnist", "gicnn_approximate", "path.parquet"),
    # Paths between pictures of all pairs of classes on several levels, summed up.
    "5_statistics": {
        "summary": _level_sets("fashion_mnist", "gicnn_approximate", "paths.json")["paths"]
    },
    # One path for each pair of classes.
    "5_pairs": _level_sets("fashion_mnist", "gicnn_approximate", "pictures.parquet"),
    # Molecules on a path along one level of their property.
    "6": (
        _level_sets("qm9", "gicnn_approximate", "path.parquet")
        | {
            "wheel": "results/raw/qm9pack-1.0.3-py3-none-any.whl",
            "card": "results/data/qm9/card.json",
            "metrics": f"results/evaluation/qm9/gicnn_approximate/seed-{SEEDS[0]}/metrics.json",
        }
    ),
    # Many paths between molecules on several levels, summed up.
    "6_statistics": (
        {
            "summary": _level_sets("qm9", "gicnn_approximate", "paths.json")["paths"],
            "card": "results/data/qm9/card.json",
        }
    ),
    # What training of the molecules' models is worth, epoch by epoch.
    "training": (
        {
            model: f"results/models/qm9/{model}/seed-{SEEDS[0]}/history.parquet"
            for model in ("gicnn_approximate", "baseline")
        }
        | {"card": "results/data/qm9/card.json"}
    ),
}
_BUILD = config["datasets"]["qm9"]["build"]
# What the paper prints, for pictures that show it; it prints nothing of other molecules or properties.
_PRINTED = {
    "training": (
        {
            "not_reconstructed": 1 - printed("qm9_reconstruction") / 100,
            "property_mae": printed("qm9_property"),
            "invariance_mae": printed("qm9_invariance"),
        }
        if (_BUILD["property"], _BUILD["stoichiometry"])
        == ("gap", {"C": 7, "N": 0, "O": 2, "F": 0})
        else {}
    )
}
# What a figure's notebook runs in, where that is not figures.yaml.
_ENVIRONMENTS = {"6": "figure_molecules"}

for _figure, _evidence in FIGURES.items():

    rule:
        """A picture, its table and the notebook that draws them."""
        name:
            f"figure_{_figure}"
        input:
            **_evidence,
            notebook=repository(f"workflow/notebooks/figure_{_figure}.ipynb"),
        output:
            svg=f"results/figures/figure_{_figure}.svg",
            png=f"results/figures/figure_{_figure}.png",
            table=f"results/figures/figure_{_figure}.parquet",
            notebook=f"results/notebooks/figure_{_figure}.ipynb",
            html=f"results/notebooks/figure_{_figure}.html",
        log:
            f"results/logs/figure_{_figure}.log",
        benchmark:
            f"results/benchmarks/figure_{_figure}.tsv"
        conda:
            f"../../envs/{_ENVIRONMENTS.get(_figure, 'figures')}.yaml"
        threads: 1
        resources:
            mem_mb=rising(1500),
            runtime=rising(10),
        params:
            parameters={"printed": _PRINTED[_figure]} if _figure in _PRINTED else {},
            code=notebook_digest(f"figure_{_figure}"),
        script:
            "../scripts/run_notebook.py"
