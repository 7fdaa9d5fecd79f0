"""Measure models, check their guarantees, and compare models with and without them.

Needs:    results/data/{dataset}/{tensors.safetensors,card.json}
          results/models/{dataset}/{model}/seed-{seed}/weights.safetensors
Provides: results/evaluation/{dataset}/{model}/seed-{seed}/{metrics,certificate}.json, predictions,
          results/evaluation/{dataset}/connectedness/seed-{seed}.json
          results/ablations.csv, with a recipe that names some
"""


rule evaluate_model:
    """Reconstruction, property error and invariance on the validation and the test split."""
    input:
        tensors="results/data/{dataset}/tensors.safetensors",
        card="results/data/{dataset}/card.json",
        weights="results/models/{dataset}/{model}/seed-{seed}/weights.safetensors",
    output:
        metrics="results/evaluation/{dataset}/{model}/seed-{seed}/metrics.json",
        predictions="results/evaluation/{dataset}/{model}/seed-{seed}/predictions.parquet",
    log:
        "results/logs/evaluate_model/{dataset}_{model}_seed-{seed}.log",
    benchmark:
        "results/benchmarks/evaluate_model/{dataset}_{model}_seed-{seed}.tsv"
    conda:
        "../../envs/evaluate.yaml"
    threads: 1
    resources:
        mem_mb=rising(2000),
        runtime=rising(15),
    params:
        model=model_settings,
        graphs=lambda wildcards: graph_settings(wildcards.dataset),
        code=model_code("evaluate_model"),
    script:
        "../scripts/evaluate_model.py"


rule certify_model:
    """Check in float64 what the model promises by construction."""
    input:
        tensors="results/data/{dataset}/tensors.safetensors",
        weights="results/models/{dataset}/{model}/seed-{seed}/weights.safetensors",
    output:
        certificate="results/evaluation/{dataset}/{model}/seed-{seed}/certificate.json",
    log:
        "results/logs/certify_model/{dataset}_{model}_seed-{seed}.log",
    benchmark:
        "results/benchmarks/certify_model/{dataset}_{model}_seed-{seed}.tsv"
    conda:
        "../../envs/levelset.yaml"
    threads: 1
    resources:
        mem_mb=rising(2000),
        runtime=rising(30),
    params:
        model=model_settings,
        certificate=config["certificate"],
        code=model_code("certify_model"),
    script:
        "../scripts/certify_model.py"


rule detect_disconnected:
    """Compare the input-convex model with the baseline: are the property's level sets connected?"""
    input:
        tensors="results/data/{dataset}/tensors.safetensors",
        convex="results/models/{dataset}/gicnn/seed-{seed}/weights.safetensors",
        baseline="results/models/{dataset}/baseline/seed-{seed}/weights.safetensors",
    output:
        connectedness="results/evaluation/{dataset}/connectedness/seed-{seed}.json",
    log:
        "results/logs/detect_disconnected/{dataset}_seed-{seed}.log",
    benchmark:
        "results/benchmarks/detect_disconnected/{dataset}_seed-{seed}.tsv"
    wildcard_constraints:
        dataset="|".join(comparable()),
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    resources:
        mem_mb=rising(2000),
        runtime=rising(15),
    params:
        convex=lambda wildcards: config["models"][wildcards.dataset]["gicnn"],
        baseline=lambda wildcards: config["models"][wildcards.dataset]["baseline"],
        connectedness=config["connectedness"],
        code=lambda wildcards: code_digest(
            "detect_disconnected",
            *component_modules(config["models"][wildcards.dataset]["gicnn"]),
            *component_modules(config["models"][wildcards.dataset]["baseline"]),
        ),
    script:
        "../scripts/detect_disconnected.py"


rule tabulate_ablations:
    """Put changed models and those that they were made of side by side."""
    input:
        ablation_metrics,
    output:
        table="results/ablations.csv",
    log:
        "results/logs/tabulate_ablations.log",
    benchmark:
        "results/benchmarks/tabulate_ablations.tsv"
    conda:
        "../../envs/workflow.yaml"
    threads: 1
    resources:
        mem_mb=rising(1000),
        runtime=rising(5),
    params:
        code=code_digest("tabulate_ablations"),
    script:
        "../scripts/tabulate_ablations.py"
