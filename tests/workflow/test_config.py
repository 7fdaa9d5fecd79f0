"""The config is strict, explained, and feeds what it says it feeds."""

import copy
import inspect
from importlib import import_module
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from gicnn.data.fashion_mnist import build_fashion_mnist
from gicnn.data.grids import build_grid
from gicnn.data.molecules import build_qm9
from gicnn.evaluation.certificates.certify import certify
from gicnn.evaluation.connectedness.detect import detect_disconnected
from gicnn.evaluation.curves.level_curves import trace_level_curves
from gicnn.evaluation.images.path import follow_image_path
from gicnn.evaluation.images.statistics import measure_image_paths
from gicnn.evaluation.molecules.clusters import cluster_values
from gicnn.evaluation.molecules.path import follow_molecule_path
from gicnn.evaluation.molecules.samples import sample_molecules
from gicnn.evaluation.molecules.statistics import measure_molecule_paths
from gicnn.models.ablations import with_ablations
from gicnn.models.registry import COMPONENTS
from gicnn.training.schedules import beta_schedule, learning_rate_schedule
from gicnn.training.steps import Training
from gicnn.validation import InvalidContentError, check_sections

ROOT = Path(__file__).resolve().parents[2]
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text())
SCHEMAS = {
    path.name.removesuffix(".schema.yaml"): yaml.safe_load(path.read_text())
    for path in sorted((ROOT / "workflow/schemas/config").glob("*.schema.yaml"))
}
RECIPES = sorted((ROOT / "workflow/recipes").glob("*.yaml"))
SUPPLIED = {  # arguments that scripts supply from inputs, wildcards and params
    "self", "model", "train", "truth", "true_curve", "x", "judge", "test", "label", "splits", "reader", "clusters", "values",
    "split", "steps", "steps_per_epoch", "wheel", "workers", "files", "in_shape", "latent_features",
    "out_shape", "in_features", "convex", "baseline", "held_out",
}  # fmt: skip


def overlaid(recipe):
    config = {}
    update_config(config, CONFIG)
    update_config(config, yaml.safe_load(recipe.read_text()))
    return config


def arguments(consumer):
    return set(inspect.signature(consumer).parameters)


def sections():
    """Each section with the function or class that it is unpacked into."""
    for name, section in CONFIG["datasets"].items():
        if "function" in section:
            yield f"datasets.{name}", section, build_grid
    yield (
        "datasets.fashion_mnist",
        CONFIG["datasets"]["fashion_mnist"]["build"],
        build_fashion_mnist,
    )
    yield "datasets.qm9", CONFIG["datasets"]["qm9"]["build"], build_qm9
    for dataset, models in CONFIG["training"].items():
        for model, section in models.items():
            yield f"training.{dataset}.{model}", section, Training
            yield f"beta of {dataset}.{model}", section["beta"], beta_schedule
            rate = section["learning_rate"]
            yield f"learning_rate of {dataset}.{model}", rate, learning_rate_schedule
    yield "certificate", CONFIG["certificate"], certify
    yield "connectedness", CONFIG["connectedness"], detect_disconnected
    for grid in ("rosenbrock", "rosenbrock_printed", "gaussian_mixture"):
        yield f"levelsets.{grid}", CONFIG["levelsets"][grid], trace_level_curves
    pictures = CONFIG["levelsets"]["fashion_mnist"]
    yield "levelsets.fashion_mnist.path", pictures["path"], follow_image_path
    yield "levelsets.fashion_mnist.paths", pictures["paths"], measure_image_paths
    molecules = CONFIG["levelsets"]["qm9"]
    yield "levelsets.qm9.cluster", molecules["cluster"], cluster_values
    yield "levelsets.qm9.path", molecules["path"], follow_molecule_path
    yield "levelsets.qm9.paths", molecules["paths"], measure_molecule_paths
    yield "levelsets.qm9.samples", molecules["samples"], sample_molecules


def components():
    """Each kind with each set of keys that a recipe or an ablation gives it."""
    found = {}
    for config in map(with_ablations, [CONFIG, *map(overlaid, RECIPES)]):
        for models in config["models"].values():
            for settings in models.values():
                for role in filter(settings.get, COMPONENTS):
                    keys = (role, settings[role]["kind"], *sorted(settings[role]))
                    found.setdefault(
                        keys, pytest.param(role, settings[role], id="-".join(keys[:2]))
                    )
    return found.values()


@pytest.mark.parametrize(
    ("section", "consumer"), [pytest.param(s, c, id=name) for name, s, c in sections()]
)
def test_keys_are_the_consumer_s_arguments(section, consumer):
    supplied = SUPPLIED - set(section) if consumer is not certify else SUPPLIED
    given = set(section) | ({"seed"} if consumer is Training else set())
    assert given == arguments(consumer) - supplied


@pytest.mark.parametrize(("role", "settings"), list(components()))
def test_component_keys_are_the_constructor_s_arguments(role, settings):
    module, name = COMPONENTS[role][settings["kind"]].split(":")
    constructor = getattr(import_module(module), name)
    assert set(settings) - {"kind"} == arguments(constructor) - SUPPLIED


def test_default_follows_the_schemas():
    check_sections(CONFIG, SCHEMAS)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_recipe_follows_the_schemas_and_names_itself(recipe):
    config = overlaid(recipe)
    check_sections(config, SCHEMAS)
    assert config["recipe"] == recipe.stem


def test_overlay_of_one_model_leaves_its_neighbour_alone():
    """YAML anchors give two models one object; the overlay must not reach through it."""
    config = {}
    update_config(config, CONFIG)
    update_config(config, {"training": {"qm9": {"baseline": {"epochs": 7}}}})

    assert config["training"]["qm9"]["baseline"]["epochs"] == 7
    assert config["training"]["qm9"]["gicnn_approximate"]["epochs"] != 7


def objects(schema, path="$"):
    """Every object of a schema that has properties."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield path, schema
        for key, value in schema.items():
            yield from objects(value, f"{path}.{key}")
    elif isinstance(schema, list):
        for number, value in enumerate(schema):
            yield from objects(value, f"{path}[{number}]")


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_refuses_unknown_keys_and_describes_known_ones(name):
    for path, schema in objects(SCHEMAS[name]):
        assert schema.get("additionalProperties") is False, path
        for key, value in schema["properties"].items():
            assert "description" in value or "$ref" in value, f"{path}.{key}"


def leaves(content, path=()):
    if isinstance(content, dict):
        for key, value in content.items():
            yield from leaves(value, (*path, key))
    else:
        yield path, content


@pytest.mark.parametrize("kind", ["unknown key", "number as text"])
def test_no_section_lets_a_slip_pass(kind):
    numbers = [path for path, value in leaves(CONFIG) if isinstance(value, int | float)]
    assert len(numbers) > 100
    for path in numbers:
        config = copy.deepcopy(CONFIG)
        place = config
        for key in path[:-1]:
            place = place[key]
        if kind == "unknown key":
            place[f"{path[-1]}s"] = 1
        else:
            place[path[-1]] = str(place[path[-1]])
        with pytest.raises(InvalidContentError):
            check_sections(config, SCHEMAS)
