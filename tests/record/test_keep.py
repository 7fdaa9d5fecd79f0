"""The small part of a run is kept whole or not at all, and nothing else is lost for it."""

import json
from pathlib import Path

import pytest
import torch
from PIL import Image

from gicnn.record.__main__ import main
from gicnn.record.comparison import compare
from gicnn.record.keep import NUMBERS, keep
from gicnn.record.parts import keep_part
from gicnn.record.training_table import read_history
from gicnn.tensors import save_tensors

METRICS = "evaluation/qm9/baseline/seed-0/metrics.json"


def add(run, path, content="{}"):
    """A file more, made by a job of its own, and the run sealed again."""
    run.write(path, content)
    run.job(f"more/{path.replace('/', '_')}", [], [path])
    run.seal()


@pytest.fixture
def first(run):
    add(
        run,
        METRICS,
        json.dumps({"dataset": "qm9", "model": "baseline", "splits": {"test": {"count": 9}}}),
    )
    return run.root


def verdicts(first, second):
    return {item.name: item.verdict for item in compare(first, second).items}


def test_a_kept_record_compares_with_its_run(first, tmp_path):
    place = tmp_path / "reference/default"
    assert place / METRICS in keep(first, place)
    assert not (place / "models").exists()
    found = verdicts(first, place)
    assert set(found.values()) == {"identical"}
    assert {"claim_a", f"{METRICS}: splits.test.count", "models/a.bin"} <= found.keys()
    keep(first, place)
    assert [path.name for path in (tmp_path / "reference").iterdir()] == ["default"]


def test_pictures_are_kept_small_with_their_colours(run, tmp_path):
    picture = Image.effect_noise((2800, 400), 9).convert("RGB")
    picture.paste((0, 114, 178), (100, 100, 140, 140))
    picture.paste((255, 255, 255), (1000, 0, 2800, 400))
    picture.paste((241, 242, 244), (2000, 100, 2100, 140))  # as nothing is shown in a bar
    (run.root / "figures").mkdir()
    picture.save(run.root / "figures/figure_1.png")
    run.job("draw", [], ["figures/figure_1.png"])
    add(run, "claims.md", "[figure](figures/figure_1.svg)")
    keep(run.root, tmp_path / "kept")
    with Image.open(tmp_path / "kept/figures/figure_1.png") as kept:
        assert kept.size == (1400, 200)
        places = ((60, 60), (1025, 60), (1200, 10))
        shown, pale, page = (kept.convert("RGB").getpixel(place) for place in places)
    assert page != pale == pytest.approx((241, 242, 244), abs=3)
    assert max(abs(a - b) for a, b in zip(shown, (0, 114, 178), strict=True)) < 20
    assert (tmp_path / "kept/claims.md").read_text() == "[figure](figures/figure_1.png)"


def test_numbers_alone_are_kept_without_pictures(run, first, tmp_path):
    add(run, "figures/figure_1.png", "drawn")
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
    assert before.read_text() == "{}"
    assert (tmp_path / "kept" / METRICS).read_bytes() == (first / METRICS).read_bytes()
    assert not (tmp_path / "kept/models").exists()
    (first / METRICS).unlink()
    with pytest.raises(SystemExit):
        main()
    assert "no metrics of any model" in capsys.readouterr().err


def test_a_part_does_not_spoil_the_record_of_a_whole_run(first, tmp_path):
    keep(first, tmp_path / "kept")
    with pytest.raises(ValueError, match="a whole run"):
        keep_part(first, tmp_path / "kept")


def test_a_folder_that_is_no_record_is_not_replaced(first, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").touch()
    with pytest.raises(ValueError, match="no record of a run"):
        keep(first, tmp_path / "mine")
    with pytest.raises(ValueError, match="is a file"):
        keep(first, tmp_path / "mine/thesis.tex")
    with pytest.raises(ValueError, match=r"no claims\.json"):
        keep(tmp_path / "mine", tmp_path / "copy")


def test_a_record_with_something_else_in_it_is_not_replaced(first, tmp_path):
    keep(first, tmp_path / "kept")
    (tmp_path / "kept/thesis.tex").touch()
    with pytest.raises(ValueError, match=r"holds thesis\.tex"):
        keep(first, tmp_path / "kept")
    assert (tmp_path / "kept/thesis.tex").exists()


def test_what_cannot_be_replaced_stays(first, tmp_path, monkeypatch):
    keep(first, tmp_path / "kept")
    before = sorted((tmp_path / "kept").rglob("*"))
    rename = Path.rename

    def fail(path, target):
        if path.name == "copy":
            raise OSError("the disk is gone")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OSError, match="the disk is gone"):
        keep(first, tmp_path / "kept")
    assert sorted((tmp_path / "kept").rglob("*")) == before


@pytest.mark.parametrize("path", ["README.md", "checkpoints/weeks.bin", "reference/mine.json"])
def test_what_no_manifest_names_is_not_lost_either(first, tmp_path, path):
    keep(first, tmp_path / "kept")
    (tmp_path / "kept" / path).parent.mkdir(exist_ok=True)
    (tmp_path / "kept" / path).touch()
    with pytest.raises(ValueError, match=f"holds {path}"):
        keep(first, tmp_path / "kept")


def test_a_record_is_not_put_into_its_run(first):
    with pytest.raises(ValueError, match="which it would spoil"):
        keep(first, first / "figures/kept")
    keep(first, first / "reference/default")


def test_a_part_without_a_record_is_not_kept(run, first, tmp_path):
    (first / f"logs/more/{METRICS.replace('/', '_')}.json").unlink()
    with pytest.raises(ValueError, match="no job has left a record"):
        keep_part(first, tmp_path / "kept")


def test_a_part_is_not_put_into_another_run(first, tmp_path):
    (tmp_path / "mine/checkpoints").mkdir(parents=True)
    with pytest.raises(ValueError, match="a run of its own"):
        keep_part(first, tmp_path / "mine")


def test_a_part_that_was_altered_is_not_kept(run, first, tmp_path):
    run.write(METRICS, json.dumps({"dataset": "better"}))
    with pytest.raises(ValueError, match=r"metrics\.json is not as more"):
        keep_part(first, tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


def test_courses_are_kept_if_asked_for(run, first, tmp_path):
    add(run, "models/qm9/baseline/seed-0/history.parquet", "by epoch")
    keep_part(first, tmp_path / "models")
    keep_part(first, tmp_path / "courses", "courses")
    kept = [
        [*folder.rglob("history.parquet")]
        for folder in (tmp_path / "models", tmp_path / "courses")
    ]
    assert [len(found) for found in kept] == [0, 1]


def test_what_level_sets_came_to_is_part_of_a_model(run, first, tmp_path):
    for name in ("paths.json", "paths.parquet", "samples.csv", "samples.json", "summary.json"):
        add(run, f"levelsets/qm9/baseline/seed-0/{name}", "found")
    keep_part(first, tmp_path / "kept")
    kept = {path.name for path in (tmp_path / "kept/levelsets").rglob("*.*")}
    assert kept == {"paths.json", "samples.json", "summary.json"}


def test_the_course_of_a_training_that_was_stopped_is_kept(tmp_path, monkeypatch, capsys):
    history = [{"epoch": 1, "validation_property_mae": 9.0}, {"epoch": 2}]
    for seed, rows in enumerate((history, [])):
        checkpoint = tmp_path / f"results/checkpoints/qm9/less/seed-{seed}.safetensors"
        save_tensors(checkpoint, {"w": torch.ones(2)}, {"history": rows, "step": 104})
    command = ["gicnn.record", "keep", "--part", "courses", str(tmp_path / "results")]
    monkeypatch.setattr("sys.argv", [*command, str(tmp_path / "kept")])
    assert main() == 0
    assert "1 file," in capsys.readouterr().out
    kept = read_history(tmp_path / "kept", "qm9/less/seed-0")
    assert list(kept["epoch"]) == [1, 2]
    with pytest.raises(ValueError, match="no metrics"):
        keep_part(tmp_path / "results", tmp_path / "kept")


def test_a_run_is_not_replaced_by_a_record(first, tmp_path):
    kept = tmp_path / "kept"
    keep(first, kept)
    before = sorted(first.rglob("*"))
    with pytest.raises(ValueError, match="no logs"):
        keep(kept, first)
    for place in (first, first.parent, first / "models/.."):
        with pytest.raises(ValueError, match="itself"):
            keep(first, place)
    other = tmp_path / "other run"
    first.rename(other)
    first.symlink_to(other)
    with pytest.raises(ValueError, match="itself"):
        keep(first, other)
    assert len(before) == len(sorted(other.rglob("*")))


def test_a_whole_run_elsewhere_is_not_replaced(run, first, tmp_path):
    other = type(run)(tmp_path / "another")
    with pytest.raises(ValueError, match="a whole run"):
        keep(first, other.root)
    assert other.findings() == []


def test_a_run_that_was_altered_is_not_kept(run, first, tmp_path):
    run.write("models/a.bin", "tampered")
    with pytest.raises(ValueError, match=r"differs: models/a\.bin"):
        keep(first, tmp_path / "kept")
    assert not (tmp_path / "kept").exists()
