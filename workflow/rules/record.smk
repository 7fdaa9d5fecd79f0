"""Hold the paper's claims against the results, and tell what made each file.

Needs:    every metrics.json, certificate.json, summary.json and figure table   (common.smk lists them)
          results/logs/RULE/JOB.json, which every job leaves beside its log
Provides: results/claims.json, results/claims.md, results/claims.html
          results/manifest.json
"""


rule collect_claims:
    """Compare what the paper claims with what this run measured."""
    input:
        evidence=evidence(),
        claims=repository("workflow/resources/claims.yaml"),
        claims_schema=repository("workflow/schemas/claims.schema.yaml"),
        deviations=repository("workflow/resources/deviations.yaml"),
        deviations_schema=repository("workflow/schemas/deviations.schema.yaml"),
    output:
        record="results/claims.json",
        markdown="results/claims.md",
        page=report(
            "results/claims.html",
            caption="../report/claims.rst",
            category="1 Claims",
            labels={"table": "the paper against this run"},
        ),
    log:
        "results/logs/collect_claims.log",
    benchmark:
        "results/benchmarks/collect_claims.tsv"
    conda:
        "../../envs/workflow.yaml"
    threads: 1
    params:
        root=lambda wildcards, output: str(Path(output.record).parent),
        recipe=config["recipe"],
        seeds=SEEDS,
        places={
            "report": "report.html",
            "claims, with reasons": "claims.html",
            "figures": "figures",
            "notebooks": "notebooks",
        },
        code=code_digest("collect_claims"),
    script:
        "../scripts/collect_claims.py"


rule write_manifest:
    """Name what made each file, from which inputs, with which settings, where and when."""
    input:
        everything(),
    output:
        manifest="results/manifest.json",
    log:
        "results/logs/write_manifest.log",
    benchmark:
        "results/benchmarks/write_manifest.tsv"
    conda:
        "../../envs/workflow.yaml"
    threads: 1
    params:
        run=lambda wildcards, output: {
            "root": str(Path(output.manifest).parent),
            "recipe": config["recipe"],
            "seeds": SEEDS,
        },
        code=code_digest("write_manifest"),
    script:
        "../scripts/write_manifest.py"
