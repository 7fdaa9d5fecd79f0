"""Walk on the level sets of trained models.

Needs:    results/data/{dataset}/tensors.safetensors, results/models/.../weights.safetensors
          results/data/qm9/catalogue.parquet
Provides: results/levelsets/{dataset}/{model}/seed-{seed}/*.parquet and summary.json
          results/levelsets/fashion_mnist/gicnn_approximate/seed-{seed}/paths.json
          results/levelsets/qm9/gicnn_approximate/seed-{seed}/{paths,samples}.json, samples.csv
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
        "../../envs/levelset.yaml"
    threads: 1
    resources:
        mem_mb=rising(2000),
        runtime=rising(15),
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
        judge="results/models/fashion_mnist/angle_estimator/seed-{seed}/weights.safetensors",
    output:
        path="results/levelsets/fashion_mnist/gicnn_approximate/seed-{seed}/path.parquet",
        summary="results/levelsets/fashion_mnist/gicnn_approximate/seed-{seed}/summary.json",
    log:
        "results/logs/interpolate_images/seed-{seed}.log",
    benchmark:
        "results/benchmarks/interpolate_images/seed-{seed}.tsv"
    conda:
        "../../envs/levelset.yaml"
    threads: 1
    resources:
        mem_mb=rising(2000),
        runtime=rising(15),
    params:
        model=config["models"]["fashion_mnist"]["gicnn_approximate"],
        judge=config["models"]["fashion_mnist"]["angle_estimator"],
        settings=config["levelsets"]["fashion_mnist"]["path"],
        code=code_digest(
            "interpolate_images",
            *component_modules(config["models"]["fashion_mnist"]["gicnn_approximate"]),
            *component_modules(config["models"]["fashion_mnist"]["angle_estimator"]),
        ),
    script:
        "../scripts/interpolate_images.py"


rule measure_image_paths:
    """Paths between pictures of all pairs of classes on several levels, beside straight lines."""
    input:
        tensors="results/data/fashion_mnist/tensors.safetensors",
        weights="results/models/fashion_mnist/gicnn_approximate/seed-{seed}/weights.safetensors",
        judge="results/models/fashion_mnist/angle_estimator/seed-{seed}/weights.safetensors",
    output:
        paths="results/levelsets/fashion_mnist/gicnn_approximate/seed-{seed}/paths.parquet",
        pictures="results/levelsets/fashion_mnist/gicnn_approximate/seed-{seed}/pictures.parquet",
        summary="results/levelsets/fashion_mnist/gicnn_approximate/seed-{seed}/paths.json",
    log:
        "results/logs/measure_image_paths/seed-{seed}.log",
    benchmark:
        "results/benchmarks/measure_image_paths/seed-{seed}.tsv"
    conda:
        "../../envs/statistics.yaml"
    threads: 1
    resources:
        mem_mb=rising(4000),
        runtime=rising(60),
    params:
        model=config["models"]["fashion_mnist"]["gicnn_approximate"],
        judge=config["models"]["fashion_mnist"]["angle_estimator"],
        settings=config["levelsets"]["fashion_mnist"]["paths"],
        code=code_digest(
            "measure_image_paths",
            *component_modules(config["models"]["fashion_mnist"]["gicnn_approximate"]),
            *component_modules(config["models"]["fashion_mnist"]["angle_estimator"]),
        ),
    script:
        "../scripts/measure_image_paths.py"


rule interpolate_molecules:
    """A path between two molecules at the level of the largest cluster of their property."""
    input:
        tensors="results/data/qm9/tensors.safetensors",
        catalogue="results/data/qm9/catalogue.parquet",
        weights="results/models/qm9/gicnn_approximate/seed-{seed}/weights.safetensors",
    output:
        path="results/levelsets/qm9/gicnn_approximate/seed-{seed}/path.parquet",
        summary="results/levelsets/qm9/gicnn_approximate/seed-{seed}/summary.json",
    log:
        "results/logs/interpolate_molecules/seed-{seed}.log",
    benchmark:
        "results/benchmarks/interpolate_molecules/seed-{seed}.tsv"
    conda:
        "../../envs/levelset_molecules.yaml"
    threads: 1
    resources:
        mem_mb=rising(2000),
        runtime=rising(15),
    params:
        model=config["models"]["qm9"]["gicnn_approximate"],
        graphs=graph_settings(),
        cluster=config["levelsets"]["qm9"]["cluster"],
        settings=config["levelsets"]["qm9"]["path"],
        code=code_digest(
            "interpolate_molecules",
            *component_modules(config["models"]["qm9"]["gicnn_approximate"]),
        ),
    script:
        "../scripts/interpolate_molecules.py"


rule measure_molecule_paths:
    """Many paths between molecules on several levels, beside straight lines."""
    input:
        tensors="results/data/qm9/tensors.safetensors",
        catalogue="results/data/qm9/catalogue.parquet",
        weights="results/models/qm9/gicnn_approximate/seed-{seed}/weights.safetensors",
    output:
        paths="results/levelsets/qm9/gicnn_approximate/seed-{seed}/paths.parquet",
        summary="results/levelsets/qm9/gicnn_approximate/seed-{seed}/paths.json",
    log:
        "results/logs/measure_molecule_paths/seed-{seed}.log",
    benchmark:
        "results/benchmarks/measure_molecule_paths/seed-{seed}.tsv"
    conda:
        "../../envs/levelset_molecules.yaml"
    threads: 1
    resources:
        mem_mb=rising(2000),
        runtime=rising(60),
    params:
        model=config["models"]["qm9"]["gicnn_approximate"],
        graphs=graph_settings(),
        cluster=config["levelsets"]["qm9"]["cluster"],
        settings=config["levelsets"]["qm9"]["paths"],
        code=code_digest(
            "measure_molecule_paths",
            *component_modules(config["models"]["qm9"]["gicnn_approximate"]),
        ),
    script:
        "../scripts/measure_molecule_paths.py"


rule sample_molecules:
    """Molecules in random directions on several levels."""
    input:
        tensors="results/data/qm9/tensors.safetensors",
        catalogue="results/data/qm9/catalogue.parquet",
        weights="results/models/qm9/gicnn_approximate/seed-{seed}/weights.safetensors",
    output:
        molecules="results/levelsets/qm9/gicnn_approximate/seed-{seed}/samples.csv",
        summary="results/levelsets/qm9/gicnn_approximate/seed-{seed}/samples.json",
    log:
        "results/logs/sample_molecules/seed-{seed}.log",
    benchmark:
        "results/benchmarks/sample_molecules/seed-{seed}.tsv"
    conda:
        "../../envs/levelset_molecules.yaml"
    threads: 1
    resources:
        mem_mb=rising(2000),
        runtime=rising(30),
    params:
        model=config["models"]["qm9"]["gicnn_approximate"],
        graphs=graph_settings(),
        cluster=config["levelsets"]["qm9"]["cluster"],
        property=config["datasets"]["qm9"]["build"]["property"],
        settings=config["levelsets"]["qm9"]["samples"],
        code=code_digest(
            "sample_molecules",
            *component_modules(config["models"]["qm9"]["gicnn_approximate"]),
        ),
    script:
        "../scripts/sample_molecules.py"
