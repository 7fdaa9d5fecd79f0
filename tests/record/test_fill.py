"""Markers in a page are filled from a record, and a wrong one is named."""

import json
from pathlib import Path

import pandas as pd
import pytest

from gicnn.record.__main__ import main
from gicnn.record.fill import fill

RECORDS = Path("no other records")
REFERENCE = Path(__file__).parents[2] / "results/reference"


def measurement(**changes):
    item = {"name": "error", "unit": "kcal/mol", "printed": 4.5, "premise": False}
    item |= {"measured": 4.2, "spread": None, "interval": None, "band": {"maximum": 4.95}}
    item |= {"reason": "so", "values": [], "missing": []}
    return item | {"status": "reproduced"} | changes


@pytest.fixture
def record():
    broken = measurement(name="gap", measured=9.0, status="not reproduced", printed=None)
    claims = [
        {
            "id": "small_error",
            "status": "partly",
            "measurements": [measurement(name="assumed", premise=True), measurement(), broken],
        },
        {"id": "another", "status": "not attempted", "measurements": []},
    ]
    plain = {"where": "section 1", "statement": "It is small.", "meant": True, "expected": None}
    plain |= {"owed_to": None, "files": [], "figures": [], "tables": []}
    claims = [plain | claim for claim in claims]
    counts = {"reproduced": 0, "partly": 1, "not reproduced": 0, "not attempted": 1}
    record = {"claims": claims, "counts": counts, "recipe": "default", "seeds": [0]}
    return record | {"deviations": [], "places": {}}


def page(wish, content=""):
    return f"before <!-- filled: {wish} -->{content}<!-- /filled --> after"


@pytest.mark.parametrize("old", ["", "4.1 kcal/mol", "two\nlines"])
def test_a_number_replaces_what_stood_there(record, old):
    filled = fill(page("measured small_error 1", old), record, RECORDS)
    assert filled == page("measured small_error 1", "4.2 kcal/mol")
    assert fill(filled, record, RECORDS) == filled


def test_counts_are_filled(record):
    assert "2 claims" in fill(page("counts"), record, RECORDS)


def test_table_shows_what_decides(record):
    rows = fill(page("table"), record, RECORDS).splitlines()
    assert "| ~ | `small_error` | gap | no number | 9 kcal/mol |" in rows
    assert "| ○ | `another` |  |  |  |" in rows


def test_models_of_another_record_are_laid_out(record, tmp_path):
    for seed, error in ((0, 4.0), (1, 4.4)):
        file = tmp_path / f"more/evaluation/qm9/less/seed-{seed}/metrics.json"
        file.parent.mkdir(parents=True)
        numbers = {"property_mae": error, "reconstruction_exact": 0.99}
        file.write_text(
            json.dumps({"dataset": "qm9", "model": "less", "splits": {"test": numbers}})
        )
    rows = fill(page("models more"), record, tmp_path).splitlines()
    assert rows[1] == "| model | seeds | exactly reconstructed, % | error of the property |"
    assert rows[3] == "| qm9/less | 2 | 99 ± 0 | 4.2 ± 0.283 |"
    both = fill(page("models more more"), record, tmp_path).splitlines()
    assert both[1] == rows[1].replace("| model", "| record | model")
    assert both[3:5] == ["| more " + rows[3]] * 2
    shown = fill(page("model more qm9/less property_mae"), record, tmp_path)
    assert shown == page("model more qm9/less property_mae", "4.2 ± 0.283")
    with pytest.raises(ValueError, match="has no 'invariance_mae' of a model 'qm9/less'"):
        fill(page("model more qm9/less invariance_mae"), record, tmp_path)
    with pytest.raises(ValueError, match="has no 'seeds' of a model"):
        fill(page("model more qm9/less seeds"), record, tmp_path)
    file.write_text("{}")
    with pytest.raises(ValueError, match=r"metrics\.json: 'dataset' is a required"):
        fill(page("models more"), record, tmp_path)
    with pytest.raises(ValueError, match="has no evaluation"):
        fill(page("models none"), record, tmp_path)


def test_a_training_is_shown_at_round_epochs(record, tmp_path):
    file = tmp_path / "slow/models/qm9/less/seed-0/history.parquet"
    file.parent.mkdir(parents=True)
    epochs = range(1, 5)
    exact = [0.1 * epoch for epoch in epochs]
    columns = {"epoch": epochs, "beta": 1.0, "validation_reconstruction_exact": exact}
    pd.DataFrame(columns).to_parquet(file)
    rows = fill(page("epochs slow qm9/less/seed-0"), record, tmp_path).splitlines()
    assert rows[1] == "| epoch | beta | exactly reconstructed, % |"
    assert rows[3:6] == ["| 1 | 1 | 10 |", "| 2 | 1 | 20 |", "| 4 | 1 | 40 |"]
    with pytest.raises(ValueError, match="name a model as"):
        fill(page("epochs slow qm9/more/seed-0"), record, tmp_path)


@pytest.mark.parametrize(("name", "lines"), [("paths", 4 * 5), ("samples", 4 * 2)])
def test_what_level_sets_gave_is_shown_level_by_level(record, name, lines):
    wish = f"{name} default qm9/gicnn_approximate/seed-0"
    rows = fill(page(wish), record, REFERENCE).splitlines()[3:-1]
    levels = [row.split(" | ")[0] for row in rows]
    assert len(rows) == lines
    assert len(set(levels)) == 4
    assert levels[0] == "| 138"
    with pytest.raises(ValueError, match=f"the record smoke has no {name} of a model"):
        fill(page(wish.replace("default", "smoke")), record, REFERENCE)


def test_levels_of_an_older_program_are_named(record, tmp_path):
    file = tmp_path / "old/levelsets/qm9/less/seed-0/paths.json"
    file.parent.mkdir(parents=True)
    level = {"level": 1.0, "bend": {"level_set": None}, "level_set": {"valid_share": 1.0}}
    file.write_text(json.dumps({"levels": [level]}))
    with pytest.raises(ValueError, match="the paths in the record old lack 'known_share'"):
        fill(page("paths old qm9/less/seed-0"), record, tmp_path)


def test_one_path_of_several_records_is_shown_side_by_side(record, tmp_path):
    model = "qm9/less/seed-0"
    summary = {"minimum_property": 91.2, "minimum_distance": 2.4, "model_mae": 4.1, "level": 138.0}
    summary |= {"valid_share": 0.5, "unique": 3, "found": 0, "deviation_mae": None}
    for name, distance in (("near", 2.4), ("far", 72.0)):
        file = tmp_path / name / "levelsets" / model / "summary.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(summary | {"minimum_distance": distance}))
    rows = fill(page(f"pairs {model} near far"), record, tmp_path).splitlines()[3:-1]
    assert rows == [
        "| near | 91.2 | 2.4 | 4.1 | 138 | 50 | 3 | 0 |  |",
        "| far | 91.2 | 72 | 4.1 | 138 | 50 | 3 | 0 |  |",
    ]
    file.write_text("{}")
    with pytest.raises(ValueError, match="the pairs in near, far lack 'minimum_property'"):
        fill(page(f"pairs {model} near far"), record, tmp_path)
    with pytest.raises(ValueError, match="the record middle has no summary of a model"):
        fill(page(f"pairs {model} near middle"), record, tmp_path)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ("figure 6", "cannot fill"),
        ("measured big 0", "no claim 'big'"),
        ("measured small_error 9", "has no number '9'"),
        ("measured small_error -1", "has no number '-1'"),
        ("measured small_error", "wrong number of words"),
        ("counts all", "wrong number of words"),
        ("", "cannot fill ''"),
        ("measured small_error ²", "has no number '²'"),
    ],
)
def test_what_the_record_lacks_is_named(record, wish, message):
    with pytest.raises(ValueError, match=message):
        fill(page(wish), record, RECORDS)


@pytest.mark.parametrize("end", ["", "<!-- /filled --> <!-- /filled -->"])
def test_a_marker_that_is_not_closed_is_refused(record, end):
    with pytest.raises(ValueError, match="close each"):
        fill(f"<!-- filled: counts --> {end}", record, RECORDS)


@pytest.mark.parametrize(
    "text", ["<!--filled: counts-->1<!--/filled-->", "<!-- fill: counts -->", "<!-- Filled: x -->"]
)
def test_a_marker_that_nothing_reads_is_refused(record, text):
    with pytest.raises(ValueError, match="is read by nothing"):
        fill(text, record, RECORDS)


def test_a_marker_that_is_closed_too_late_is_refused(record):
    with pytest.raises(ValueError, match="is not closed"):
        fill("<!-- filled: counts -->text <!-- remark --> <!-- /filled -->", record, RECORDS)


def test_text_without_markers_stays(record):
    assert (
        fill("plain | text <!-- a remark -->", record, RECORDS) == "plain | text <!-- a remark -->"
    )


def test_command_fills_a_page(record, tmp_path, monkeypatch):
    (tmp_path / "claims.json").write_text(json.dumps(record))
    (tmp_path / "page.md").write_text(page("counts"))
    monkeypatch.setattr(
        "sys.argv", ["gicnn.record", "fill", str(tmp_path), str(tmp_path / "page.md")]
    )
    assert main() == 0
    assert "2 claims" in (tmp_path / "page.md").read_text()


def test_command_leaves_all_else_of_a_page_as_it_was(record, tmp_path, monkeypatch):
    (tmp_path / "claims.json").write_text(json.dumps(record))
    whole, link = tmp_path / "whole.md", tmp_path / "link.md"
    whole.write_bytes(page("counts").encode() + b"\r\n")
    whole.chmod(0o600)
    link.symlink_to(whole)
    (tmp_path / ".whole.md.swp").touch()
    monkeypatch.setattr("sys.argv", ["gicnn.record", "fill", str(tmp_path), str(link)])
    assert main() == 0
    assert b"2 claims" in whole.read_bytes()
    assert whole.read_bytes().endswith(b"\r\n")
    assert (whole.stat().st_mode & 0o777, link.is_symlink()) == (0o600, True)
    assert {path.name for path in tmp_path.iterdir()} == {
        "claims.json",
        "whole.md",
        "link.md",
        ".whole.md.swp",
    }
