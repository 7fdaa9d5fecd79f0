"""Verdicts on claims."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gicnn.record import wording
from gicnn.record.claims import collect, evaluate

FILE = "evaluation/qm9/gicnn/seed-{seed}/metrics.json"
FINITE = st.floats(-1e6, 1e6)


def measurement(**changes):
    """A measurement of `error`, to be at most 1."""
    plain = {"name": "error", "unit": "1", "printed": 0.5, "file": FILE, "key": "error"}
    return plain | {"band": {"maximum": 1}, "reason": "twice the printed value"} | changes


def claim(*measurements, **changes):
    """A claim with these measurements."""
    evidence = {"figures": ["figures/figure_1.svg"], "tables": []}
    plain = {"id": "small", "where": "section 1", "statement": "It is.", "evidence": evidence}
    plain |= {"recipes": ["default"], "expected": {"default": "reproduced"}}
    return plain | {"measurements": list(measurements)} | changes


def judge(*measurements, seeds=(0,), **values):
    """Evaluate one claim against one file of these values, the same for each seed."""
    return evaluate([claim(*measurements)], lambda path: values, seeds, "default")[0]


@pytest.mark.parametrize(
    ("recipe", "error", "said"),
    [
        ("default", 0.5, "reproduced"),
        ("default", 2.0, "not reproduced (expected: reproduced)"),
        ("record", 2.0, "not reproduced (says nothing about the paper)"),
    ],
)
def test_a_verdict_is_held_against_what_was_expected(recipe, error, said):
    (found,) = evaluate([claim(measurement())], lambda path: {"error": error}, [0], recipe)
    assert wording.verdict(found) == said


def test_what_no_training_can_change_is_counted_apart():
    owed = claim(measurement(), owed_to="construction")
    claims = evaluate([owed], lambda path: {"error": 0.5}, [0], "default")
    assert wording.verdict(claims[0]) == "reproduced (by construction)"
    assert "1 of them by construction" in wording.counts(collect(claims, "default", [0]))


other = measurement(name="other", key="other")
ORDER = ["not attempted", "not reproduced", "partly", "reproduced"]


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"error": 0.4, "other": 0.4}, "reproduced"),
        ({"error": 0.4, "other": 3}, "partly"),
        ({"error": 0.4}, "partly"),
        ({"error": 3, "other": 3}, "not reproduced"),
        ({"error": 3}, "not reproduced"),
        ({}, "not attempted"),
    ],
)
def test_status_follows_from_what_holds_and_what_is_there(values, status):
    assert judge(measurement(), other, **values)["status"] == status


def test_claim_without_measurement_is_not_attempted():
    assert judge(error=0.4)["status"] == "not attempted"


def test_missing_file_is_named():
    result = evaluate([claim(measurement())], lambda path: None, [3], "default")[0]

    assert result["status"] == "not attempted"
    assert result["measurements"][0]["missing"] == [f"error in {FILE.format(seed=3)}"]
    assert result["measurements"][0]["measured"] is None


def test_null_counts_as_missing():
    assert judge(measurement(), error=None)["status"] == "not attempted"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "0.4"])
def test_value_that_is_no_finite_number_is_an_error_with_names(value):
    with pytest.raises(ValueError, match=r"small, error: error in .*seed-0/metrics.json is .*log"):
        judge(measurement(), error=value)


def test_seeds_give_mean_and_spread():
    values = {FILE.format(seed=seed): {"error": error} for seed, error in enumerate((1, 2, 3))}
    item = evaluate([claim(measurement())], values.get, [0, 1, 2], "default")[0]["measurements"][0]

    assert (item["measured"], item["spread"]) == (2, 1)
    assert [value["file"] for value in item["values"]] == list(values)


def test_one_seed_may_have_an_interval_and_several_have_none():
    spec = measurement(interval="ends.error", scale=100)
    values = {
        FILE.format(seed=seed): {"error": 0.4, "ends": {"error": [0.3, 0.6]}} for seed in (0, 1)
    }

    (item,) = evaluate([claim(spec)], values.get, [0], "default")[0]["measurements"]
    assert item["interval"] == [30, 60]
    assert wording.measured(item | {"unit": "%"}) == "40 (30 to 60) %"

    assert (
        evaluate([claim(spec)], values.get, [0, 1], "default")[0]["measurements"][0]["interval"]
        is None
    )
    assert judge(spec, error=0.4)["measurements"][0]["interval"] is None


@pytest.mark.parametrize(
    ("value", "shown"), [(1.99947, "1.999"), (1.99997, "1.99997"), (2.0, "2"), (1.5, "1.5")]
)
def test_rounding_does_not_hide_a_miss(value, shown):
    (item,) = judge(measurement(band={"minimum": 2}), error=value)["measurements"]
    assert wording.measured(item) == shown
    assert item["status"] == ("reproduced" if value == 2 else "not reproduced")


def test_one_seed_has_no_spread():
    assert judge(measurement(), error=0.4)["measurements"][0]["spread"] is None


def test_seed_without_file_leaves_the_claim_partly():
    values = {FILE.format(seed=0): {"error": 0.4}}
    result = evaluate([claim(measurement())], values.get, [0, 1], "default")[0]

    assert result["status"] == "partly"
    assert result["measurements"][0]["missing"] == [f"error in {FILE.format(seed=1)}"]


def test_file_without_seed_is_read_once():
    item = judge(measurement(file="data/qm9/card.json"), seeds=(0, 1), error=1)["measurements"][0]

    assert len(item["values"]) == 1


def test_runs_are_averaged():
    paths = {"a/x/seed-0/c.json": {"holds": True}, "b/y/seed-0/c.json": {"holds": False}}
    spec = measurement(
        file="{run}/seed-{seed}/c.json", key="holds", runs=["a/x", "b/y"], band={"minimum": 1}
    )
    result = evaluate([claim(spec)], paths.get, [0], "default")[0]

    assert result["measurements"][0]["measured"] == 0.5
    assert result["status"] == "not reproduced"
    assert result["files"] == list(paths)


def test_booleans_measure_as_one_and_zero():
    spec = measurement(key="checks[chord_gap].holds", band={"minimum": 1})

    assert judge(spec, checks=[{"id": "chord_gap", "holds": True}])["status"] == "reproduced"
    assert judge(spec, checks=[{"id": "chord_gap", "holds": False}])["status"] == "not reproduced"


def test_relative_to_divides_within_a_seed():
    values = {FILE.format(seed=seed): {"error": 6.0 * seed, "sd": 2.0 * seed} for seed in (1, 2)}
    spec = measurement(relative_to={"file": FILE, "key": "sd"})

    assert (
        evaluate([claim(spec)], values.get, [1, 2], "default")[0]["measurements"][0]["measured"]
        == 3
    )


def test_relative_to_nothing_is_missing():
    spec = measurement(relative_to={"file": FILE, "key": "sd"})

    assert judge(spec, error=1)["measurements"][0]["missing"] == [f"sd in {FILE.format(seed=0)}"]


def test_relative_to_zero_is_an_error_with_names():
    spec = measurement(relative_to={"file": FILE, "key": "sd"})
    with pytest.raises(ValueError, match=r"small, error: sd in .* is 0"):
        judge(spec, error=1, sd=0)


def test_scale_changes_the_unit():
    spec = measurement(scale=100, band={"minimum": 57})

    assert judge(spec, error=0.57)["status"] == "reproduced"  # 0.57 * 100 < 57 in floating point


@given(value=FINITE, ends=st.lists(FINITE, min_size=2, max_size=2).map(sorted))
def test_inside_the_band_is_reproduced_and_outside_is_not(value, ends):
    low, high = ends
    status = judge(measurement(band={"minimum": low, "maximum": high}), error=value)["status"]

    if low <= value <= high:
        assert status == "reproduced"
    elif not any(math.isclose(value, end, rel_tol=1e-6) for end in ends):
        assert status == "not reproduced"


def test_outside_the_band_is_not_reproduced():
    band = {"minimum": 0.2, "maximum": 0.6}

    assert judge(measurement(band=band), error=0.1)["status"] == "not reproduced"
    assert judge(measurement(band=band), error=0.7)["status"] == "not reproduced"


@given(values=st.lists(st.none() | FINITE, min_size=1, max_size=6))
def test_a_missing_measurement_never_helps(values):
    found = {f"e{number}": value for number, value in enumerate(values)}
    specs = [measurement(name=name, key=name) for name in found]
    with_all = judge(*specs, **{name: value or 0.0 for name, value in found.items()})["status"]
    with_some = judge(*specs, **found)["status"]

    assert ORDER.index(with_some) <= ORDER.index(with_all)


def test_reproduced_needs_every_measurement():
    assert judge(measurement(), other, error=0, other=None)["status"] == "partly"


def judge_numbers(band, *numbers):
    """Evaluate one claim on one number a seed."""
    values = {FILE.format(seed=seed): {"error": number} for seed, number in enumerate(numbers)}
    return evaluate([claim(measurement(band=band))], values.get, range(len(numbers)), "default")[
        0
    ]["status"]


def test_exactly_one_is_asked_of_each_value_and_not_of_their_mean():
    exactly = {"minimum": 1, "maximum": 1}

    assert judge_numbers(exactly, 1, 1) == "reproduced"
    assert judge_numbers(exactly, 0, 2) == "not reproduced"
    assert judge_numbers({"minimum": 0.9, "maximum": 1.1}, 0, 2) == "reproduced"


@given(numbers=st.lists(st.integers(0, 3), min_size=1, max_size=5))
def test_band_of_one_number_holds_only_if_all_values_are_it(numbers):
    status = judge_numbers({"minimum": 1, "maximum": 1}, *numbers)

    assert (status == "reproduced") == (set(numbers) == {1})


def judge_with(premises, values, **flag):
    """Evaluate one claim on evidence and on premises, each flagged as given."""
    found = {f"e{n}": value for n, value in enumerate(values)}
    added = {f"p{n}": value for n, value in enumerate(premises)}
    specs = [measurement(name=name, key=name) for name in found]
    specs += [measurement(name=name, key=name, **flag) for name in added]
    return ORDER.index(judge(*specs, **found, **added)["status"])


OUTCOMES = st.lists(st.sampled_from([None, 0.5, 2.0]), max_size=3)


@given(values=OUTCOMES, premises=OUTCOMES)
def test_premises_never_raise_a_verdict(values, premises):
    assert judge_with(premises, values, premise=True) <= judge_with([], values)


def test_what_is_no_premise_raises_a_verdict():
    assert judge_with([0.5], [2.0]) > judge_with([], [2.0])


@pytest.mark.parametrize("premise", [2.0, None])
def test_premise_that_fails_or_is_missing_lowers_a_verdict(premise):
    assert ORDER[judge_with([premise], [0.5], premise=True)] == "partly"
    assert ORDER[judge_with([0.5], [0.5], premise=True)] == "reproduced"


def test_premises_alone_are_no_attempt():
    assert judge(measurement(premise=True), error=0.4)["status"] == "not attempted"


def test_claims_with_one_id_are_refused():
    with pytest.raises(ValueError, match="same id: small"):
        evaluate([claim(), claim()], lambda path: None, [0], "default")


def test_no_seeds_are_refused():
    with pytest.raises(ValueError, match="no seeds"):
        evaluate([claim()], lambda path: None, [], "default")


def test_record_counts_each_status_and_is_json():
    claims = [judge(measurement(), error=0.4), judge(measurement(), error=4)]
    record = collect(claims, "default", [0], places={"report": "report.html"})

    assert record["counts"] == {
        "reproduced": 1,
        "partly": 0,
        "not reproduced": 1,
        "not attempted": 0,
    }
    assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_a_run_about_something_else_attempts_nothing():
    file = "data/qm9/card.json"
    spec = measurement(file=file, key="count", band={"minimum": 0})
    needs = [{"file": file, "key": "settings.property", "value": "gap"}]
    cards = {name: {"count": 3, "settings": {"property": name}} for name in ("gap", "homo")}
    about_gap, about_homo = (
        evaluate([claim(spec, requires=needs)], lambda _, card=card: card, (0,), "default")[0]
        for card in cards.values()
    )

    assert about_gap["status"] == "reproduced"
    assert about_homo["status"] == "not attempted"
    assert about_homo["measurements"][0]["missing"] == [
        "settings.property in data/qm9/card.json is homo, not gap"
    ]
