"""Hold the paper's claims against the results, and show them, and tell what made each file.

Needs:    every metrics.json, certificate.json, summary.json and figure table   (common.smk lists them)
          results/reference/ablations/**/*.json of the repository, for choices that a run does not try
          results/logs/RULE/JOB.json, which every job leaves beside its log
Provides: results/claims.json, results/claims.md, results/claims.html
          results/report.html
          results/ro-crate-metadata.json, results/source.zip, results/manifest.json
"""


# A second each: on a cluster they would wait longer for their turn.
localrules:
    collect_claims,
    write_report,
    write_crate,
    write_manifest,


rule collect_claims:
    """Compare what the paper claims with what this run measured."""
    input:
        evidence=evidence(),
        recorded=recorded(),
        claims=repository("workflow/resources/claims.yaml"),
        claims_schema=repository("workflow/schemas/claims.schema.yaml"),
        deviations=repository("workflow/resources/deviations.yaml"),
        deviations_schema=repository("workflow/schemas/deviations.schema.yaml"),
    output:
        record="results/claims.json",
        markdown="results/claims.md",
        page="results/claims.html",
    log:
        "results/logs/collect_claims.log",
    benchmark:
        "results/benchmarks/collect_claims.tsv"
    conda:
        "../../envs/workflow.yaml"
    threads: 1
    resources:
        mem_mb=rising(1000),
        runtime=rising(5),
    params:
        root=lambda wildcards, output: str(Path(output.record).parent),
        recipe=config["recipe"],
        seeds=SEEDS,
        recorded_seeds=[0],
        places={
            "report": "report.html",
            "claims, with reasons": "claims.html",
            "figures": "figures",
            "notebooks": "notebooks",
        },
        code=code_digest("collect_claims"),
    script:
        "../scripts/collect_claims.py"


rule write_report:
    """Show the whole run on one page, the claims first."""
    input:
        everything(),
        claims="results/claims.json",
        pictures=expand("results/figures/figure_{name}.png", name=FIGURES),
        certificates=each_model(
            "results/evaluation/{dataset}/{model}/seed-{seed}/certificate.json"
        ),
        template=repository("workflow/report/report.html.jinja"),
        captions=repository("workflow/report/captions.yaml"),
    output:
        report="results/report.html",
    log:
        "results/logs/write_report.log",
    benchmark:
        "results/benchmarks/write_report.tsv"
    conda:
        "../../envs/workflow.yaml"
    threads: 1
    resources:
        mem_mb=rising(1000),
        runtime=rising(5),
    params:
        run=run_settings,
        code=code_digest("write_report"),
    script:
        "../scripts/write_report.py"


rule write_crate:
    """Describe the run as a Workflow Run RO-Crate, with the program that made it beside it."""
    input:
        everything(),
        "results/report.html",
    output:
        crate="results/ro-crate-metadata.json",
        source="results/source.zip",
    log:
        "results/logs/write_crate.log",
    benchmark:
        "results/benchmarks/write_crate.tsv"
    conda:
        "../../envs/crate.yaml"
    threads: 1
    resources:
        mem_mb=rising(1000),
        runtime=rising(5),
    params:
        run=run_settings,
        crate={
            "workflow": "source.zip",
            "title": f"Recipe {config['recipe']} of gicnn",
            "description": (
                "Learning Invariances with Generalised Input-Convex Neural Networks, "
                "from raw data to every figure, number and claim"
            ),
            "licence": "https://spdx.org/licenses/MIT",
        },
        code=code_digest("write_crate"),
    script:
        "../scripts/write_crate.py"


rule write_manifest:
    """Name what made each file, from which inputs, with which settings, where and when."""
    input:
        everything(),
        "results/report.html",
        "results/ro-crate-metadata.json",
    output:
        manifest="results/manifest.json",
    log:
        "results/logs/write_manifest.log",
    benchmark:
        "results/benchmarks/write_manifest.tsv"
    conda:
        "../../envs/workflow.yaml"
    threads: 1
    resources:
        mem_mb=rising(1000),
        runtime=rising(10),
    params:
        run=run_settings,
        code=code_digest("write_manifest"),
    script:
        "../scripts/write_manifest.py"
