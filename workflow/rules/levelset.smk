"""Walk on the level sets of trained models.

Needs:    results/data/{dataset}/tensors.safetensors, results/models/.../weights.safetensors
Provides: results/levelsets/{dataset}/{model}/seed-{seed}/*.parquet and summary.json
"""


rule trace_level_curves:
    """Level curves of a model of two variables, in latent and in input space."""
    input:
        tensors="results/data/{grid}/tensors.safetensors",
        weights="results/models/{grid}/{model}/seed-{seed}/weights.safetensors",
    output:
        level_curves="results/levelsets/{grid}/{model}/seed-{seed}/level_curves.parquet",
        landscape="results/levelsets/{grid}/{model}/seed-{seed}/landscape.parquet",
        minima="results/levelsets/{grid}/{model}/seed-{seed}/minima.parquet",
        extrapolation="results/levelsets/{grid}/{model}/seed-{seed}/extrapolation.parquet",
        summary="results/levelsets/{grid}/{model}/seed-{seed}/summary.json",
    log:
        "results/logs/trace_level_curves/{grid}_{model}_seed-{seed}.log",
    benchmark:
        "results/benchmarks/trace_level_curves/{grid}_{model}_seed-{seed}.tsv"
    conda:
        "../../envs/train.yaml"
    threads: 1
    params:
        model=lambda wildcards: config["models"][wildcards.grid][wildcards.model],
        function=lambda wildcards: config["datasets"][wildcards.grid]["function"],
        settings=lambda wildcards: config["levelsets"][wildcards.grid],
        code=lambda wildcards: code_digest(
            "trace_level_curves",
            *component_modules(config["models"][wildcards.grid][wildcards.model]),
        ),
    script:
        "../scripts/trace_level_curves.py"


rule interpolate_images:
    """A path between pictures of two classes at one rotation angle."""
    input:
        tensors="results/data/fashion_mnist/tensors.safetensors",
        weights="results/models/fashion_mnist/gicnn_approximate/seed-{seed}/weights.safetensors",
        judge="results/models/fashion_mnist/baseline/seed-{seed}/weights.safetensors",
    output:
        path="results/levelsets/fashion_mnist/gicnn_approximate/seed-{seed}/path.parquet",
        summary="results/levelsets/fashion_mnist/gicnn_approximate/seed-{seed}/summary.json",
    log:
        "results/logs/interpolate_images/seed-{seed}.log",
    benchmark:
        "results/benchmarks/interpolate_images/seed-{seed}.tsv"
    conda:
        "../../envs/train.yaml"
    threads: 1
    params:
        model=config["models"]["fashion_mnist"]["gicnn_approximate"],
        judge=config["models"]["fashion_mnist"]["baseline"],
        settings=config["levelsets"]["fashion_mnist"],
        code=code_digest(
            "interpolate_images",
            *component_modules(config["models"]["fashion_mnist"]["gicnn_approximate"]),
            *component_modules(config["models"]["fashion_mnist"]["baseline"]),
        ),
    script:
        "../scripts/interpolate_images.py"


rule interpolate_molecules:
    """A path between two molecules at the band gap of the largest cluster."""
    input:
        tensors="results/data/qm9/tensors.safetensors",
        molecules="results/data/qm9/molecules.parquet",
        weights="results/models/qm9/gicnn_approximate/seed-{seed}/weights.safetensors",
    output:
        path="results/levelsets/qm9/gicnn_approximate/seed-{seed}/path.parquet",
        summary="results/levelsets/qm9/gicnn_approximate/seed-{seed}/summary.json",
    log:
        "results/logs/interpolate_molecules/seed-{seed}.log",
    benchmark:
        "results/benchmarks/interpolate_molecules/seed-{seed}.tsv"
    conda:
        "../../envs/train.yaml"
    threads: 1
    params:
        model=config["models"]["qm9"]["gicnn_approximate"],
        graphs={
            key: config["datasets"]["qm9"]["build"][key]
            for key in ("elements", "max_atoms", "ordering")
        },
        settings=config["levelsets"]["qm9"],
        code=code_digest(
            "interpolate_molecules",
            *component_modules(config["models"]["qm9"]["gicnn_approximate"]),
        ),
    script:
        "../scripts/interpolate_molecules.py"
