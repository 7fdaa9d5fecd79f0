"""Two runs side by side: what agrees, what is near, what differs."""

import json

import pandas as pd
import pytest

from gicnn.record.__main__ import main
from gicnn.record.comparison import compare
from gicnn.record.manifest import FILE

METRICS = "evaluation/qm9/baseline/seed-0/metrics.json"


OUTSIDE = {"of": "repository", "path": "claims.yaml", "sha256": "0", "size": 1}
CERTIFICATE = METRICS.replace("metrics", "certificate")


def make_run(
    root, error=4.0, status="reproduced", values=(1.0, 2.0, 3.0), recipe="default", changes=()
):
    measurement = {"name": "error", "unit": "kcal/mol", "printed": 4.0, "premise": False}
    measurement |= {"measured": error, "status": status, "band": {"maximum": 5}, "reason": "so"}
    measurement |= {"spread": None, "interval": None, "values": [], "missing": []} | dict(changes)
    claim = {"id": "small_error", "where": "section 1", "statement": "It is small."}
    claim |= {"status": status, "meant": True, "expected": None, "owed_to": None}
    claim |= {"measurements": [measurement], "files": [], "figures": [], "tables": []}
    counts = dict.fromkeys(("reproduced", "partly", "not reproduced", "not attempted"), 0)
    counts[status] += 1
    record = {"recipe": recipe, "seeds": [0], "claims": [claim], "counts": counts}
    metrics = {
        "dataset": "qm9",
        "model": "baseline",
        "splits": {"test": {"count": 9, "property_mae": error, "psnr": 10 * error}},
        "intervals": {"test": {"property_mae": [error - 0.2, error + 0.2]}},
    }
    (root / METRICS).parent.mkdir(parents=True)
    (root / "figures").mkdir()
    (root / METRICS).write_text(json.dumps(metrics))
    (root / "claims.json").write_text(json.dumps(record | {"deviations": [], "places": {}}))
    table = pd.DataFrame({"x": values, "name": [str(value) for value in values]})
    table.to_parquet(root / "figures/figure_1.parquet")
    return root


def make_manifest(root, files=(("data/card.json", "0"),), **changes):
    job = {
        "rule": "fit",
        "started": "2026",
        "inputs": [],
        "params": {"code": "c0"},
        "lock": "l0",
        "device": "cpu",
        "threads": 1,
        "startup": 1.0,
        "seconds": 1.0,
        "peak_memory_mb": 1,
    }
    job |= {"versions": {"python": "3.11"}, "commit": str(root), "changed": []}
    job |= {"machine": {"processor": "p0"}} | changes
    entries = [{"path": path, "sha256": digest, "size": 1, "job": "a"} for path, digest in files]
    manifest = {"recipe": "", "seeds": [0], "config": {}, "files": entries}
    manifest |= {"jobs": {"a": job}, "claims": {}, "left_over": []}
    (root / FILE).write_text(json.dumps(manifest))


def edit(path, change):
    """Change a JSON file in place."""
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


def one_claim(root, **changes):
    edit(root / "claims.json", lambda record: record["claims"][0].update(changes))


def one_measurement(root, **changes):
    edit(
        root / "claims.json",
        lambda record: record["claims"][0]["measurements"][0].update(changes),
    )


def interval_of(root, low, high):
    edit(
        root / METRICS,
        lambda metrics: metrics["intervals"]["test"].update(property_mae=[low, high]),
    )


@pytest.fixture
def first(tmp_path):
    return make_run(tmp_path / "first")


def verdicts(first, second):
    return {item.name: item.verdict for item in compare(first, second).items}


def test_a_run_is_identical_to_its_copy(first, tmp_path):
    found = verdicts(first, make_run(tmp_path / "second"))
    assert set(found.values()) == {"identical"}
    assert {"small_error", f"{METRICS}: splits.test.property_mae"} <= found.keys()
    assert {"figures/figure_1.parquet", "figures/figure_1.parquet: x"} <= found.keys()


@pytest.mark.parametrize(
    ("changes", "name", "verdict"),
    [
        ({"error": 4.3}, "small_error", "within tolerance"),
        ({"error": 4.3}, f"{METRICS}: splits.test.property_mae", "within tolerance"),
        ({"error": 4.5}, f"{METRICS}: splits.test.property_mae", "different"),
        ({"error": 4.09}, f"{METRICS}: splits.test.psnr", "within tolerance"),
        ({"error": 4.5}, f"{METRICS}: splits.test.psnr", "different"),
        ({"error": 9.0}, f"{METRICS}: splits.test.psnr", "different"),
        ({"status": "not reproduced"}, "small_error", "different"),
        ({"values": (1.1, 2.1, 3.0)}, "figures/figure_1.parquet: x", "within tolerance"),
        ({"values": (1.1, 2.1, 3.0)}, "figures/figure_1.parquet: name", "within tolerance"),
        ({"values": (3.0, 4.0, 5.0)}, "figures/figure_1.parquet: x", "different"),
        ({"values": (1.0, 2.0)}, "figures/figure_1.parquet", "within tolerance"),
        ({"values": (2.0,)}, "figures/figure_1.parquet", "different"),
        ({"recipe": "smoke"}, "recipe", "different"),
        ({"changes": {"band": {"maximum": 9}}}, "small_error", "different"),
        ({"changes": {"printed": 4.5}}, "small_error", "different"),
        ({"changes": {"status": "partly"}}, "small_error", "different"),
        ({"error": 40.0}, "small_error", "within tolerance"),
    ],
)
def test_what_has_changed_is_judged(first, tmp_path, changes, name, verdict):
    assert verdicts(first, make_run(tmp_path / "second", **changes))[name] == verdict


@pytest.mark.parametrize(("convex", "verdict"), [(True, "different"), (False, "within tolerance")])
def test_an_input_convex_model_has_to_keep_what_its_certificate_said(
    first, tmp_path, convex, verdict
):
    second = make_run(tmp_path / "second")
    for root, holds in ((first, True), (second, False)):
        checks = [{"id": "chords", "holds": holds}, {"id": "signs", "holds": True}]
        (root / CERTIFICATE).write_text(json.dumps({"convex": convex, "checks": checks}))
    found = verdicts(first, second)
    assert (found[f"{CERTIFICATE}: chords"], found[f"{CERTIFICATE}: signs"]) == (
        verdict,
        "identical",
    )
    (second / CERTIFICATE).unlink()
    assert verdicts(first, second)[CERTIFICATE] == "different"


@pytest.mark.parametrize(
    ("recipe", "changes", "verdict"),
    [
        ("smoke", {"machine": {"processor": "p1"}}, "within tolerance"),
        ("smoke", {"device": "NVIDIA"}, "within tolerance"),
        ("smoke", {}, "different"),
        ("mine", {"machine": {"processor": "p1"}}, "different"),
    ],
)
def test_hardly_trained_numbers_may_differ_on_other_hardware(tmp_path, recipe, changes, verdict):
    first = make_run(tmp_path / "first", recipe=recipe)
    far = {"error": 9.0, "status": "not reproduced", "values": (6.0,)}
    second = make_run(tmp_path / "second", recipe=recipe, **far)
    make_manifest(first, lock="l0")
    make_manifest(second, lock="l1", **changes)
    found = verdicts(first, second)
    number = f"{METRICS}: splits.test.property_mae"
    names = ["small_error", number, "figures/figure_1.parquet: x"]
    assert {found[name] for name in names} == {verdict}
    edit(second / METRICS, lambda metrics: metrics["splits"]["test"].update(property_mae=4000.0))
    assert verdicts(first, second)[number] == "different"
    edit(second / METRICS, lambda metrics: metrics["splits"]["test"].update(count=8))
    assert verdicts(first, second)[f"{METRICS}: splits.test.count"] == "different"
    one_measurement(second, measured=None)
    assert verdicts(first, second)["small_error"] == "different"


def test_what_no_training_changes_may_not_change_on_another_processor_either(tmp_path):
    first = make_run(tmp_path / "first", recipe="smoke")
    second = make_run(tmp_path / "second", 9.0, "not reproduced", recipe="smoke")
    for root, processor in ((first, "p0"), (second, "p1")):
        one_claim(root, owed_to="construction")
        make_manifest(root, machine={"processor": processor})
    assert verdicts(first, second)["small_error"] == "different"


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"statement": "It is tiny."}, "within tolerance"),
        ({"figures": ["figures/figure_2.svg"]}, "different"),
        ({"owed_to": "choice"}, "different"),
        ({"expected": "reproduced"}, "within tolerance"),
    ],
)
def test_a_claim_that_says_or_shows_something_else_is_told(first, tmp_path, changes, verdict):
    second = make_run(tmp_path / "second")
    one_claim(second, **changes)
    assert verdicts(first, second)["small_error"] == verdict


def test_the_values_behind_a_mean_count_too(first, tmp_path):
    second = make_run(tmp_path / "second")
    one_measurement(second, spread=9.0)
    assert verdicts(first, second)["small_error"] == "within tolerance"


def test_numbers_near_zero_that_fail_alike_are_near(tmp_path):
    runs = [make_run(tmp_path / str(error), error, "not reproduced") for error in (0.0, 1e-9)]
    assert verdicts(*runs)["small_error"] == "within tolerance"


def test_a_model_that_is_no_longer_said_to_be_convex_is_different(first, tmp_path):
    second = make_run(tmp_path / "second")
    for root, holds in ((first, True), (second, False)):
        checks = [{"id": "chords", "holds": holds}]
        (root / CERTIFICATE).write_text(json.dumps({"convex": holds, "checks": checks}))
    found = verdicts(first, second)
    assert {found[f"{CERTIFICATE}: {check}"] for check in ("chords", "convex")} == {"different"}


def test_a_check_that_only_one_certificate_has_is_different(first, tmp_path):
    second = make_run(tmp_path / "second")
    for root, checks in ((first, [{"id": "chords", "holds": True}]), (second, [])):
        (root / CERTIFICATE).write_text(json.dumps({"convex": False, "checks": checks}))
    assert verdicts(first, second)[f"{CERTIFICATE}: chords"] == "different"


def test_files_behind_links_are_compared(first, tmp_path):
    second = make_run(tmp_path / "second", error=9.0)
    for root in (first, second):
        (root / "evaluation").rename(tmp_path / f"{root.name} on another disk")
        (root / "evaluation").symlink_to(tmp_path / f"{root.name} on another disk")
    assert verdicts(first, second)[f"{METRICS}: splits.test.property_mae"] == "different"


@pytest.mark.parametrize("recipe", ["smoke", "default"])
def test_a_verdict_does_not_make_a_number_near(tmp_path, recipe):
    first = make_run(tmp_path / "first", recipe=recipe)
    second = make_run(tmp_path / "second", 1e9, recipe=recipe)
    for root, processor in ((first, "p0"), (second, "p1")):
        make_manifest(root, machine={"processor": processor})
    assert verdicts(first, second)["small_error"] == "different"


@pytest.mark.parametrize(
    ("recipe", "files", "verdict"),
    [
        ("smoke", ["samples.json"], "within tolerance"),
        ("smoke", [], "different"),
        ("default", ["samples.json"], "different"),
    ],
)
def test_a_file_that_is_there_may_have_too_little_if_hardly_trained(
    tmp_path, recipe, files, verdict
):
    first = make_run(tmp_path / "first", status="not reproduced", recipe=recipe)
    second = make_run(tmp_path / "second", status="not reproduced", recipe=recipe)
    for root, processor in ((first, "p0"), (second, "p1")):
        make_manifest(root, machine={"processor": processor})
        one_claim(root, files=files)
    one_measurement(second, measured=None, missing=["mean in samples.json"])
    assert verdicts(first, second)["small_error"] == verdict


def test_a_certificate_of_a_hardly_trained_model_may_turn_on_other_hardware(tmp_path):
    roots = [make_run(tmp_path / name, recipe="smoke") for name in ("first", "second")]
    for root, holds in zip(roots, (True, False), strict=True):
        make_manifest(root, device="cpu" if holds else "NVIDIA")
        checks = [{"id": "chords", "holds": holds}]
        (root / CERTIFICATE).write_text(json.dumps({"convex": True, "checks": checks}))
    assert verdicts(*roots)[f"{CERTIFICATE}: chords"] == "within tolerance"


def test_a_number_that_only_one_run_has_is_different(first, tmp_path):
    second = make_run(tmp_path / "second")
    for root in (first, second):
        one_measurement(root, status="not reproduced")
    one_measurement(second, measured=None)
    assert verdicts(first, second)["small_error"] == "different"


@pytest.mark.parametrize(
    ("error", "ends", "verdict", "reason"),
    [
        (4.0, (3.9, 4.3), "within tolerance", "overlap"),
        (99.0, (3.9, 4.3), "different", "own 95 % interval"),
        (4.0, (0.0, 99.0), "different", "times as wide"),
        (4.6, (4.4, 4.8), "different", "do not overlap"),
    ],
)
def test_an_interval_says_something_only_of_its_number(
    first, tmp_path, error, ends, verdict, reason
):
    second = make_run(tmp_path / "second", error=error)
    interval_of(second, *ends)
    (found,) = (
        item for item in compare(first, second).items if item.name.endswith("property_mae")
    )
    assert found.verdict == verdict
    assert reason in found.reason


@pytest.mark.parametrize(("share", "verdict"), [(0.993, "within tolerance"), (0.98, "different")])
def test_shares_of_successes_are_near_where_those_of_failures_are(first, tmp_path, share, verdict):
    second = make_run(tmp_path / "second")
    for root, value in ((first, 0.995), (second, share)):
        edit(root / METRICS, lambda m, v=value: m["splits"]["test"].update(reconstruction_exact=v))
    assert verdicts(first, second)[f"{METRICS}: splits.test.reconstruction_exact"] == verdict


@pytest.mark.parametrize(("wrong", "verdict"), [(0, "within tolerance"), (9, "different")])
def test_shares_of_nearly_all_may_differ_by_a_few_examples(first, tmp_path, wrong, verdict):
    """One of 2,500 against none, whose interval has no width, is what chance does."""
    second = make_run(tmp_path / "second")
    for root, failures in ((first, 1), (second, wrong)):
        share = 1 - failures / 2500
        ends = [share - failures / 2500, min(1.0, share + failures / 2500)]

        def change(metrics, share=share, ends=ends):
            metrics["splits"]["test"].update(reconstruction_valid=share, count=2500)
            metrics["intervals"] = {"test": {"reconstruction_valid": ends}}

        edit(root / METRICS, change)
    assert verdicts(first, second)[f"{METRICS}: splits.test.reconstruction_valid"] == verdict


def test_claims_that_are_named_twice_are_refused(first, tmp_path):
    second = make_run(tmp_path / "second")
    edit(second / "claims.json", lambda record: record["claims"].append(record["claims"][0]))
    with pytest.raises(ValueError, match="several claims small_error"):
        compare(first, second)


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.pop("counts"),
        lambda record: record["counts"].update(reproduced=2),
        lambda record: record.pop("places"),
        lambda record: record["claims"][0].pop("meant"),
        lambda record: record["claims"][0]["measurements"][0].pop("band"),
        lambda record: record["claims"][0]["measurements"][0].update(measured="4.0"),
    ],
)
def test_a_record_made_by_hand_is_refused_with_its_name(first, tmp_path, change):
    second = make_run(tmp_path / "second")
    edit(second / "claims.json", change)
    with pytest.raises(ValueError, match=r"second/claims\.json"):
        compare(first, second)


def test_a_certificate_made_by_hand_is_refused_with_its_name(first, tmp_path):
    second = make_run(tmp_path / "second")
    for root in (first, second):
        (root / CERTIFICATE).write_text("{}")
    with pytest.raises(ValueError, match=r"certificate\.json: 'convex' is a required"):
        compare(first, second)


@pytest.mark.parametrize("ends", ["[null, 2]", "5", "[1, 2, 3]", "[NaN, 2]"])
def test_metrics_made_by_hand_are_refused_with_their_name(first, tmp_path, ends):
    second = make_run(tmp_path / "second")
    text = (second / METRICS).read_text()
    (second / METRICS).write_text(text.replace("[3.8, 4.2]", ends))
    with pytest.raises(ValueError, match=r"second/.*metrics\.json"):
        compare(first, second)


def test_runs_with_nothing_to_compare_are_refused(first, tmp_path):
    for root in (first, tmp_path / "second"):
        root.mkdir(exist_ok=True)
        record = make_run(tmp_path / f"{root.name} more") / "claims.json"
        edit(record, lambda document: document.update(claims=[]))
        edit(record, lambda document: document["counts"].update(reproduced=0))
        record.rename(root / "claims.json")
    for path in (first / METRICS, first / "figures/figure_1.parquet"):
        path.unlink()
    with pytest.raises(ValueError, match="neither"):
        compare(first, tmp_path / "second")


def test_what_is_no_run_is_refused(first, tmp_path):
    with pytest.raises(ValueError, match="name the results of a finished run"):
        compare(first, tmp_path)


def test_a_file_that_only_one_run_made_is_different(first, tmp_path):
    second = make_run(tmp_path / "second")
    make_manifest(first, [("models/a.bin", "0"), ("levelsets/a.json", "0"), ("logs/a", "0")])
    make_manifest(second, [("models/a.bin", "1"), ("logs/a", "1")], lock="l1")
    found = verdicts(first, second)
    assert found["levelsets/a.json"] == "different"
    assert not {"models/a.bin", "logs/a"} & found.keys()


def test_where_bits_are_promised_weights_must_be_the_same(first, tmp_path):
    second = make_run(tmp_path / "second")
    make_manifest(first, [("models/a.bin", "0"), ("models/b.bin", "0")])
    make_manifest(second, [("models/a.bin", "1"), ("models/b.bin", "0")])
    found = verdicts(first, second)
    assert (found["models/a.bin"], found["models/b.bin"]) == ("different", "identical")


def test_what_differs_between_runs_is_told(first, tmp_path):
    second = make_run(tmp_path / "second")
    make_manifest(first)
    make_manifest(second, lock="l1", device="NVIDIA")
    assert (
        compare(first, second).promised.reason == "1 of 1 jobs differ in lock, device, such as a"
    )


@pytest.mark.parametrize("path", [METRICS, "figures/figure_1.parquet"])
def test_what_only_one_run_has_is_different(first, tmp_path, path):
    second = make_run(tmp_path / "second")
    (second / path).unlink()
    for pair in ((first, second), (second, first)):
        assert verdicts(*pair)[path] == "different"


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "different"),
        ({"commit": "another"}, "different"),
        ({"threads": 2}, "different"),
        ({"inputs": [OUTSIDE]}, "within tolerance"),
        ({"params": {"code": "c1"}}, "within tolerance"),
        ({"versions": {"python": "3.12"}}, "within tolerance"),
        ({"machine": {"processor": "p1"}}, "within tolerance"),
        ({"lock": "l1"}, "within tolerance"),
        ({"device": "NVIDIA"}, "within tolerance"),
    ],
)
def test_where_bits_are_promised_nothing_is_tolerated(first, tmp_path, changes, verdict):
    second = make_run(tmp_path / "second", error=4.01)
    make_manifest(first)
    make_manifest(second, **changes)
    assert verdicts(first, second)["small_error"] == verdict


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        ([1.0, 1.0], [1.0, 1.0 + 1e-9], "within tolerance"),
        ([1.0, 1.0], [1.1, 1.1], "different"),
        ([10, 10], [11, 11], "different"),
        ([1.0], [1.2], "within tolerance"),
        ([1.0], [2.0], "different"),
        ([None, 2.0], [2.0, 2.0], "within tolerance"),
        ([1.0, 2.0], ["1.0", "2.0"], "different"),
        ([1.0, 2.0], [1.0, 900.0], "different"),
        ([1.0, 2.0, 3.0], [-1e6, 2.0, 1e6 + 4], "different"),
        ([1.0], [1.2, 1.2], "different"),
        ([1.2, 1.2], [1.0], "different"),
        ([1, 2, 3], [8, 9], "different"),
        ([1, 2, 3], [1000, 1001], "different"),
        ([], [1.0], "different"),
        ([1.0], [], "different"),
        ([1.0, 2.0], [float("inf"), 2.0], "different"),
        ([1.0, 2.0, 3.0], [None, None, 2.0], "different"),
        ([None, None], [None], "within tolerance"),
        ([None, None], [1.0, 2.0], "different"),
    ],
)
def test_columns_that_do_not_vary(first, tmp_path, one, other, verdict):
    second = make_run(tmp_path / "second")
    for root, values in ((first, one), (second, other)):
        pd.DataFrame({"x": values}).to_parquet(root / "figures/figure_1.parquet")
    assert verdicts(first, second)["figures/figure_1.parquet: x"] == verdict


def test_the_command_fails_where_runs_differ(first, tmp_path, monkeypatch, capsys):
    near = make_run(tmp_path / "near", error=4.1)
    far = make_run(tmp_path / "far", error=9.0)
    monkeypatch.setattr("sys.argv", ["gicnn.record", "compare", str(first), str(near)])
    assert main() == 0
    shown = capsys.readouterr().out
    assert "their 95 % intervals overlap" in shown
    assert "claims: 0 identical, 1 within tolerance, 0 different" in shown
    assert "agree as far as seeds do" in shown
    assert "splits.test.count" not in shown
    monkeypatch.setattr("sys.argv", ["gicnn.record", "compare", "--all", str(first), str(near)])
    assert main() == 0
    assert "splits.test.count: 9 | 9" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["gicnn.record", "compare", str(first), str(far)])
    assert main() == 1
    assert "do not overlap" in capsys.readouterr().out
