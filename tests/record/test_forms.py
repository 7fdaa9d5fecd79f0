"""The record as text, Markdown, HTML and files."""

import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gicnn.record import wording
from gicnn.record.__main__ import main
from gicnn.record.claims import collect, evaluate
from gicnn.record.evidence import reader, save
from gicnn.record.markdown import to_markdown
from gicnn.record.page import to_html
from gicnn.record.terminal import to_table

FORMS = [to_table, to_markdown, to_html]
VOID = {"wbr", "meta"}


def ledger(text="The error is small.", **changes):
    """A claim with two measurements of which one has no file."""
    spec = {"name": "error", "unit": "kcal/mol", "printed": 4.5, "key": "error"}
    spec |= {"file": "a/seed-{seed}.json", "band": {"maximum": 4.95}, "reason": text} | changes
    absent = spec | {"name": text, "printed": None, "file": "absent.json"}
    evidence = {"figures": ["figures/figure_6.svg"], "tables": ["figures/figure_6.parquet"]}
    plain = {"id": "qm9_property", "where": "section 5.3", "statement": text}
    plain |= {"recipes": ["default"], "expected": {}}
    return [plain | {"measurements": [spec, absent], "evidence": evidence}]


def record(text="The error is small.", recipe="default", value=4.3123, **changes):
    """An evaluated record of that ledger."""
    files = {"a/seed-0.json": {"error": value}, "a/seed-1.json": {"error": value + 0.2}}
    claims = evaluate(ledger(text, **changes), files.get, [0, 1], "default")
    fields = ("id", "where", "printed", "problem", "choice", "consequence")
    deviations = [dict.fromkeys(fields, text) | {"config": None, "sensitivities": []}]
    return collect(claims, recipe, [0, 1], deviations, {"report": "report.html"})


class Outline(HTMLParser):
    """Collects text, addresses, and whether every element is closed in turn."""

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.addresses, self.tags = [], [], [], set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.addresses += [value for name, value in attrs if name in {"href", "src"}]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def outline(page):
    """Parse a page."""
    parsed = Outline()
    parsed.feed(page)
    return parsed


@pytest.mark.parametrize("form", FORMS)
def test_every_form_shows_printed_measured_band_and_verdict(form):
    shown = form(record())

    for text in (
        "4.5 kcal/mol",
        "4.41 ± 0.141 kcal/mol",
        "at most 4.95",
        "partly",
        "not measured",
    ):
        assert text in " ".join(shown.split()), text
    assert "absent.json" in shown


@pytest.mark.parametrize("form", FORMS)
def test_every_form_marks_premises(form):
    assert "(premise)" in form(record(premise=True))
    assert "(premise)" not in form(record())


@pytest.mark.parametrize("form", FORMS)
def test_smoke_numbers_say_so_before_any_claim(form):
    shown = form(record(recipe="smoke"))

    assert 0 <= shown.find("SMOKE RUN") < shown.find("qm9")
    assert "SMOKE" not in form(record())


@pytest.mark.parametrize("form", FORMS)
def test_every_form_survives_a_run_without_results(form):
    claims = evaluate(ledger(), lambda path: None, [0], "default")

    assert "not attempted" in form(collect(claims, "default", [0])).lower()


@given(text=st.text(min_size=1, max_size=300), width=st.integers(60, 120))
def test_table_is_never_wider_than_asked(text, width):
    lines = to_table(record("x" + text.replace("\r", ""), unit="kcal/mol"), width).split("\n")

    assert max(map(len, lines)) <= width


def test_table_breaks_words_longer_than_a_column():
    shown = to_table(record("x" * 300))

    assert max(map(len, shown.split("\n"))) <= 100
    assert shown.count("x") >= 600


def test_table_refuses_a_width_without_room():
    with pytest.raises(ValueError, match="width must be at least 60, got 30"):
        to_table(record(), 30)


@given(text=st.text(alphabet="<>&\"'/abc ", min_size=1, max_size=40))
def test_page_shows_text_as_text(text):
    parsed = outline(to_html(record(f"({text})")))

    assert f"({text})" in "".join(parsed.texts)
    assert not parsed.open


def test_page_escapes_markup():
    page = to_html(record('<script>alert("x")</script>'))

    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_page_needs_nothing_from_elsewhere():
    parsed = outline(to_html(record()))

    assert "figures/figure_6.svg" in parsed.addresses
    assert not [address for address in parsed.addresses if ":" in address or address[0] == "/"]
    assert parsed.tags.isdisjoint({"script", "link", "img", "iframe"})
    assert "url(" not in to_html(record())


def test_page_says_the_verdict_in_words_and_marks():
    assert "✗ not reproduced" in "".join(outline(to_html(record(value=9))).texts)


@given(text=st.text(alphabet="|*_<`\n\\ab", min_size=1, max_size=20))
def test_markdown_rows_keep_five_cells(text):
    rows = [line for line in to_markdown(record(f"a{text}")).split("\n") if line[:2] == "| "]

    assert len(rows) == 3
    assert {row.replace("\\\\", "").replace("\\|", "").count("|") for row in rows} == {6}


@pytest.mark.parametrize(
    ("value", "text"),
    [(999.7, "1,000"), (0, "0"), (-0.12345, "-0.123"), (3e12, "3e+12"), (2500.0, "2,500")],
)
def test_numbers_have_three_digits_or_are_whole(value, text):
    assert wording.number(value) == text


def test_reader_knows_given_files_only(tmp_path):
    for name in ("given", "stale"):
        (tmp_path / f"{name}.json").write_text('{"count": 3}')
    read = reader([tmp_path / "given.json", tmp_path / "table.parquet"], tmp_path)

    assert read("given.json") == {"count": 3}
    assert read("stale.json") is None


def test_reader_names_a_broken_file(tmp_path):
    (tmp_path / "cut.json").write_text('{"count": ')
    with pytest.raises(ValueError, match=r"cut\.json is not JSON"):
        reader([tmp_path / "cut.json"], tmp_path)("cut.json")


def test_saved_record_prints(tmp_path, capsys, monkeypatch):
    paths = [tmp_path / name for name in ("claims.json", "claims.md", "claims.html")]
    save(record(), *paths)
    (tmp_path / "report.html").touch()
    monkeypatch.setattr("sys.argv", ["gicnn.record", "claims", str(paths[0].parent)])
    monkeypatch.setattr("sys.stdout.reconfigure", lambda **options: None, raising=False)
    main()

    assert json.loads(paths[0].read_text()) == record()
    assert str(tmp_path / "report.html") in capsys.readouterr().out


def test_printing_a_missing_record_says_what_to_do(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["gicnn.record", "claims", str(tmp_path)])
    with pytest.raises(SystemExit) as stopped:
        main()

    assert stopped.value.code == 2
    assert "name the results of a finished run" in capsys.readouterr().err
