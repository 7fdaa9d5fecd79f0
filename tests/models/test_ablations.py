"""Models made of others by changing one thing."""

import copy

import pytest

from gicnn.models.ablations import with_ablations

CONFIG = {
    "datasets": {"grid": {"points": 9, "seed": 1}},
    "models": {
        "grid": {"plain": {"net": {"width": 4, "depth": 2}, "top": {"kind": "tanh", "terms": 4}}}
    },
    "training": {"grid": {"plain": {"epochs": 3, "cycle": {"weight": 0.1}}}},
}


def ablated(**ablation):
    return CONFIG | {"ablations": {"grid": {"less": {"of": "plain"} | ablation}}}


def test_only_what_is_named_differs():
    config = ablated(model={"net": {"width": 2}, "top": None}, training={"cycle": None})
    before = copy.deepcopy(config)
    extended = with_ablations(config)

    model, training = (
        extended[section]["grid"]["plain-less"] for section in ("models", "training")
    )
    assert model == {"net": {"width": 2, "depth": 2}, "top": None}
    assert training == {"epochs": 3, "cycle": None}
    assert config == before
    assert extended["models"]["grid"]["plain"] == CONFIG["models"]["grid"]["plain"]


def test_a_component_of_another_kind_is_replaced_as_a_whole():
    config = ablated(model={"top": {"kind": "identity", "slope": 1}})
    model = with_ablations(config)["models"]["grid"]["plain-less"]
    assert model["top"] == {"kind": "identity", "slope": 1}

    config = ablated(model={"top": {"kind": "tanh", "slope": 1}})
    model = with_ablations(config)["models"]["grid"]["plain-less"]
    assert model["top"] == {"kind": "tanh", "terms": 4, "slope": 1}


def test_other_data_are_a_dataset_of_their_own():
    config = ablated(dataset={"points": 4}, training={"epochs": 5})
    extended = with_ablations(config)

    assert extended["datasets"]["grid-less"] == {"points": 4, "seed": 1}
    assert extended["models"]["grid-less"] == CONFIG["models"]["grid"]
    assert extended["training"]["grid-less"]["plain"] == {"epochs": 5, "cycle": {"weight": 0.1}}
    assert all(extended[section]["grid"] == CONFIG[section]["grid"] for section in CONFIG)


def test_no_ablations_change_nothing():
    assert with_ablations(CONFIG | {"ablations": {}}) == CONFIG | {"ablations": {}}


@pytest.mark.parametrize(
    ("dataset", "model"), [("grid", "plane"), ("gird", "plain")], ids=["model", "dataset"]
)
def test_an_unknown_model_is_named(dataset, model):
    config = CONFIG | {"ablations": {dataset: {"less": {"of": model, "training": {}}}}}
    with pytest.raises(
        ValueError, match=rf"ablations.{dataset}.less: there is no model '{model}'"
    ):
        with_ablations(config)
