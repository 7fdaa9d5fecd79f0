"""Two runs side by side: what agrees, what is near, what differs."""

import json

import pandas as pd
import pytest
from PIL import Image

from gicnn.record.__main__ import main
from gicnn.record.comparison import compare
from gicnn.record.keep import NUMBERS, keep, keep_part
from gicnn.record.manifest import FILE

METRICS = "evaluation/qm9/baseline/seed-0/metrics.json"


def make_run(
    root, error=4.0, status="reproduced", values=(1.0, 2.0, 3.0), recipe="default", changes=()
):
    measurement = {"name": "error", "measured": error, "status": status} | dict(changes)
    claim = {"id": "small_error", "status": status, "measurements": [measurement]}
    claim |= {key: [] for key in ("files", "figures", "tables")}
    metrics = {
        "splits": {"test": {"count": 9, "property_mae": error, "psnr": 10 * error}},
        "intervals": {"test": {"property_mae": [error - 0.2, error + 0.2]}},
    }
    (root / METRICS).parent.mkdir(parents=True)
    (root / "figures").mkdir()
    (root / METRICS).write_text(json.dumps(metrics))
    (root / "claims.json").write_text(
        json.dumps({"recipe": recipe, "seeds": [0], "claims": [claim]})
    )
    table = pd.DataFrame({"x": values, "name": [str(value) for value in values]})
    table.to_parquet(root / "figures/figure_1.parquet")
    return root


def make_manifest(root, **changes):
    job = {
        "rule": "fit",
        "started": "2026",
        "inputs": [],
        "params": {"code": "c0"},
        "lock": "l0",
        "device": "cpu",
        "threads": 1,
    }
    job |= {"versions": {"python": "3.11"}, "commit": str(root)}
    job |= {"machine": {"processor": "p0"}} | changes
    manifest = {"recipe": "", "seeds": [0], "config": {}, "files": []}
    manifest |= {"jobs": {"a": job}, "claims": {}, "left_over": []}
    (root / FILE).write_text(json.dumps(manifest))


@pytest.fixture
def first(tmp_path):
    return make_run(tmp_path / "first")


def verdicts(first, second):
    return {item.name: item.verdict for item in compare(first, second)}


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
    path = METRICS.replace("metrics", "certificate")
    for root, holds in ((first, True), (second, False)):
        checks = [{"id": "chords", "holds": holds}, {"id": "signs", "holds": True}]
        (root / path).write_text(json.dumps({"convex": convex, "checks": checks}))
    found = verdicts(first, second)
    assert (found[f"{path}: chords"], found[f"{path}: signs"]) == (verdict, "identical")
    (second / path).unlink()
    assert f"{path}: signs" not in verdicts(first, second)


@pytest.mark.parametrize(
    ("meant", "processor", "verdict"),
    [
        (False, "p1", "within tolerance"),
        (False, "p0", "different"),
        (True, "p1", "different"),
    ],
)
def test_hardly_trained_numbers_may_differ_on_another_processor(
    first, tmp_path, meant, processor, verdict
):
    second = make_run(tmp_path / "second", error=9.0, status="not reproduced", values=(3.0,))
    for root in (first, second):
        record = json.loads((root / "claims.json").read_text())
        record["claims"][0]["meant"] = meant
        (root / "claims.json").write_text(json.dumps(record))
    make_manifest(first, lock="l0")
    make_manifest(second, lock="l1", machine={"processor": processor})
    found = verdicts(first, second)
    names = ["small_error", f"{METRICS}: splits.test.property_mae", "figures/figure_1.parquet: x"]
    assert {found[name] for name in names} == {verdict}
    metrics = json.loads((second / METRICS).read_text())
    metrics["splits"]["test"]["property_mae"] = 4000.0
    (second / METRICS).write_text(json.dumps(metrics))
    name = f"{METRICS}: splits.test.property_mae"
    assert verdicts(first, second)[name] == "different"
    metrics["splits"]["test"]["count"] = 8
    (second / METRICS).write_text(json.dumps(metrics))
    assert verdicts(first, second)[f"{METRICS}: splits.test.count"] == "different"


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
        ([1.0], [1.2], "within tolerance"),
        ([1.0], [2.0], "different"),
        ([None, 2.0], [2.0, 2.0], "within tolerance"),
    ],
)
def test_columns_that_do_not_vary(first, tmp_path, one, other, verdict):
    second = make_run(tmp_path / "second")
    for root, values in ((first, one), (second, other)):
        pd.DataFrame({"x": values}).to_parquet(root / "figures/figure_1.parquet")
    assert verdicts(first, second)["figures/figure_1.parquet: x"] == verdict


def test_a_kept_record_compares_with_its_run(first, tmp_path):
    make_manifest(first)
    (first / "models").mkdir()
    (first / "models/weights.safetensors").touch()
    kept = keep(first, tmp_path / "reference/default")
    assert tmp_path / "reference/default" / METRICS in kept
    assert not (tmp_path / "reference/default/models").exists()
    assert set(verdicts(first, tmp_path / "reference/default").values()) == {"identical"}
    keep(first, tmp_path / "reference/default")
    assert [path.name for path in (tmp_path / "reference").iterdir()] == ["default"]


def test_pictures_are_kept_small_with_their_colours(first, tmp_path):
    picture = Image.effect_noise((2800, 400), 9).convert("RGB")
    picture.paste((0, 114, 178), (100, 100, 140, 140))
    picture.save(first / "figures/figure_1.png")
    (first / "claims.md").write_text("[figure](figures/figure_1.svg)")
    keep(first, tmp_path / "kept")
    with Image.open(tmp_path / "kept/figures/figure_1.png") as kept:
        assert kept.size == (1400, 200)
        shown = kept.convert("RGB").getpixel((60, 60))
    assert max(abs(a - b) for a, b in zip(shown, (0, 114, 178), strict=True)) < 20
    assert (tmp_path / "kept/claims.md").read_text() == "[figure](figures/figure_1.png)"


def test_numbers_alone_are_kept_without_pictures(first, tmp_path):
    (first / "figures/figure_1.png").touch()
    keep(first, tmp_path / "kept", NUMBERS)
    assert set(verdicts(first, tmp_path / "kept").values()) == {"identical"}
    assert not (tmp_path / "kept/figures/figure_1.png").exists()


def test_models_of_an_unfinished_run_are_added_to_a_record(first, tmp_path, monkeypatch, capsys):
    command = ["gicnn.record", "keep", "--part", "models", str(first), str(tmp_path / "kept")]
    monkeypatch.setattr("sys.argv", command)
    (first / "claims.json").unlink()
    before = tmp_path / "kept/evaluation/qm9/other/seed-0/metrics.json"
    before.parent.mkdir(parents=True)
    before.write_text("{}")
    assert main() == 0
    kept = {path for path in (tmp_path / "kept").rglob("*") if path.is_file()}
    assert kept == {before, tmp_path / "kept" / METRICS}
    assert (tmp_path / "kept" / METRICS).read_bytes() == (first / METRICS).read_bytes()
    (first / METRICS).unlink()
    with pytest.raises(SystemExit):
        main()
    assert "no metrics of any model" in capsys.readouterr().err


def test_a_part_does_not_spoil_the_record_of_a_whole_run(first, tmp_path):
    make_manifest(first)
    keep(first, tmp_path / "kept")
    with pytest.raises(ValueError, match="record of a whole run"):
        keep_part(first, tmp_path / "kept")


def test_a_folder_that_is_no_record_is_not_replaced(first, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").touch()
    with pytest.raises(ValueError, match="no record of a run"):
        keep(first, tmp_path / "mine")
    with pytest.raises(ValueError, match=r"no claims\.json"):
        keep(tmp_path / "mine", tmp_path / "copy")


def test_the_command_fails_where_runs_differ(first, tmp_path, monkeypatch, capsys):
    near = make_run(tmp_path / "near", error=4.1)
    far = make_run(tmp_path / "far", error=9.0)
    monkeypatch.setattr("sys.argv", ["gicnn.record", "compare", str(first), str(near)])
    assert main() == 0
    assert "their 95 % intervals overlap" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["gicnn.record", "compare", str(first), str(far)])
    assert main() == 1
    assert "do not overlap" in capsys.readouterr().out
