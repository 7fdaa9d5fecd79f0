"""The report shows a whole run, also in a real browser, wide and narrow."""

import json
import shutil
import struct
import zlib
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import sync_playwright

from gicnn.record.claims import collect, evaluate
from gicnn.record.manifest import build_manifest
from gicnn.record.report import Certificate, picture, to_report
from gicnn.record.rule_graph import draw_rules, generations
from gicnn.record.timings import costs_by_rule, elapsed, rule_edges

REPORT = Path(__file__).resolve().parents[2] / "workflow/report"
PARTS = ("claims", "figures", "deviations", "certificates", "files", "graph", "times")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


def png(width, height):
    """A grey picture."""

    def chunk(kind, content):
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + b"\x80" * width for _ in range(height)))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    )


def job(rule, inputs, outputs, **facts):
    described = {"of": "results", "sha256": "0", "size": 1}
    return {
        "rule": rule,
        "started": "2026-01-01T00:00:00+00:00",
        "params": {},
        "lock": None,
        "versions": {},
        "threads": 1,
        "startup": 2.0,
        "seconds": 61.0,
        "peak_memory_mb": 512,
        "commit": "c0ffee" * 7,
        "changed": [f"src/gicnn/a_rather_long_name_of_a_module_{n}.py" for n in range(9)],
        "device": "cpu",
        "machine": {"processor": "Some <Processor>"},
        "inputs": [described | {"path": path} for path in inputs],
        "outputs": [described | {"path": path} for path in outputs],
    } | facts


def ledger():
    specification = {
        "name": "error",
        "unit": "kcal/mol",
        "printed": 4.5,
        "file": "metrics.json",
        "key": "error",
        "band": {"maximum": 4.95},
        "reason": "A tenth above what is printed.",
    }
    evidence = {"figures": ["figures/figure_1.svg"], "tables": []}
    claim = {"id": "small_error", "where": "section 5.3", "statement": "The <error> is small."}
    claim |= {"recipes": ["default"], "expected": {}}
    return [claim | {"measurements": [specification], "evidence": evidence}]


@pytest.fixture
def report(tmp_path):
    """A folder of results with its report."""
    words = yaml.safe_load((REPORT / "captions.yaml").read_text("utf-8"))
    files = {
        "metrics.json": json.dumps({"error": 4.2}),
        "figures/figure_1.svg": "<svg/>",
        "notebooks/figure_1.html": "<p>drawn</p>",
        "evaluation/qm9/baseline/seed-0/certificate.json": "{}",
        "logs/measure/a_long_name_of_a_data_set_and_a_model_that_cannot_be_broken.json": json.dumps(
            job("measure", [], ["metrics.json"])
        ),
        "logs/figure_1.json": json.dumps(
            job("figure_1", ["metrics.json"], ["figures/figure_1.svg", "notebooks/figure_1.html"])
        ),
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    for name in words["figures"]:
        (tmp_path / f"figures/{name}.png").write_bytes(png(900, 300))
    checks = [
        {"statement": "smallest weight", "value": 0.1, "relation": ">", "bound": 0, "holds": True},
        {"statement": "chord gap", "value": -2, "relation": ">=", "bound": 0, "holds": False},
    ]
    certificate = {"checks": checks, "convex": True, "guaranteed": False, "holds": False}
    fields = ("id", "where", "printed", "problem", "choice", "consequence")
    deviation = dict.fromkeys(fields, "text") | {"config": None}
    claims = evaluate(ledger(), lambda name: {"error": 4.2}, [0], "default")
    page = to_report(
        (REPORT / "report.html.jinja").read_text("utf-8"),
        collect(claims, "smoke", [0], [deviation]),
        build_manifest(tmp_path, {"recipe": "smoke", "seeds": [0]}),
        [
            picture(tmp_path / f"figures/{name}.png", **said)
            for name, said in words["figures"].items()
        ],
        [Certificate("evaluation/qm9/baseline/seed-0/certificate.json", certificate)],
        words["texts"],
    )
    others = ("claims.json", "manifest.json", "source.zip", "ro-crate-metadata.json")
    for name in ("report.html", *others):
        (tmp_path / name).touch()
    (tmp_path / "report.html").write_text(page)
    return tmp_path / "report.html"


def test_claims_come_first_and_text_is_escaped(report):
    page = report.read_text()
    places = [page.index(f'id="{part}"') for part in PARTS]
    assert places == sorted(places)
    assert "The &lt;error&gt; is small." in page
    assert "Some &lt;Processor&gt;" in page
    assert "chord gap: -2, not &gt;= 0" in page
    assert "1 of 2" in page


def test_every_figure_of_the_workflow_has_its_caption():
    words = yaml.safe_load((REPORT / "captions.yaml").read_text("utf-8"))
    notebooks = {path.stem for path in (REPORT.parent / "notebooks").glob("*.ipynb")}
    assert words["figures"].keys() == notebooks


def test_rules_are_ordered_by_what_they_need():
    jobs = {"a": job("fit", ["raw"], ["fit"]), "b": job("fetch", [], ["raw"])}
    edges = rule_edges(jobs, {"raw": "b", "fit": "a"})
    assert edges == {"fit": {"fetch"}, "fetch": set()}
    assert generations(edges) == {"fetch": 0, "fit": 1}
    assert draw_rules(edges, {}).count("<path") == 1


def test_times_are_summed_by_rule():
    later = job("fit", [], [], started="2026-01-01T00:10:00+00:00", peak_memory_mb=9)
    jobs = {"a": job("fit", [], []), "b": later, "c": job("draw", [], [], seconds=1.0)}
    fit, draw = costs_by_rule(jobs)
    assert (fit["rule"], fit["jobs"], fit["seconds"], fit["longest"]) == ("fit", 2, 122.0, 61.0)
    assert fit["peak_memory_mb"] == 512
    assert fit["startup"] == 4.0
    assert fit["share"] + draw["share"] == pytest.approx(1)
    assert elapsed(jobs) == 661.0


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install chromium")
@pytest.mark.parametrize("width", [1280, 390])
def test_report_in_a_browser(report, width):
    said, failed = [], []
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        view = browser.new_page(viewport={"width": width, "height": 800}, offline=True)
        view.on("console", lambda message: said.append(message.text))
        view.on("pageerror", lambda error: said.append(str(error)))
        view.on("requestfailed", lambda request: failed.append(request.url))
        view.goto(report.as_uri())
        assert view.locator("#small_error").is_visible()
        counts = view.locator("#claims .counts").inner_text()
        assert counts.startswith("✓ 1 reproduced")
        assert view.locator("#claims").bounding_box()["y"] < 800

        for part in PARTS:
            view.locator(f'nav a[href="#{part}"]').click()
            inner = view.locator(
                f"#{part} > details > *, #{part} > article, #{part} > figure"
            ).last
            inner.scroll_into_view_if_needed()
            assert inner.is_visible(), part
        shown = view.evaluate(
            "[...document.images].map(i => i.complete && i.naturalWidth > 0 && i.clientWidth > 200)"
        )
        assert len(shown) >= 10
        assert all(shown)
        view.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert view.evaluate("document.documentElement.scrollWidth") <= width
        sizes = view.evaluate(
            "[...document.querySelectorAll('p, td, li, figcaption, a')]"
            ".map(e => parseFloat(getComputedStyle(e).fontSize))"
        )
        assert min(sizes) >= 13
        links = view.evaluate("[...document.links].map(l => l.getAttribute('href'))")
        browser.close()
    assert said == []
    assert failed == []
    assert "notebooks/figure_1.html" in links
    for link in links:
        target = link.removeprefix("#")
        assert (
            f'id="{target}"' in report.read_text()
            if "#" in link
            else (report.parent / link).exists()
        )
