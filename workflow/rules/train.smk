"""Fit models.

Needs:    results/data/{dataset}/tensors.safetensors                       (data.smk)
Provides: results/models/{dataset}/{model}/seed-{seed}/weights.safetensors and what led to them
"""


rule train_model:
    """Fit one model to one dataset, for one seed; stopped, it goes on from its checkpoint."""
    input:
        tensors="results/data/{dataset}/tensors.safetensors",
    output:
        weights="results/models/{dataset}/{model}/seed-{seed}/weights.safetensors",
        history="results/models/{dataset}/{model}/seed-{seed}/history.parquet",
        run="results/models/{dataset}/{model}/seed-{seed}/run.json",
    log:
        "results/logs/train_model/{dataset}_{model}_seed-{seed}.log",
    benchmark:
        "results/benchmarks/train_model/{dataset}_{model}_seed-{seed}.tsv"
    # The longest go first, so that none is left to run alone at the end.
    priority: lambda wildcards: {"qm9": 20, "fashion_mnist": 10}.get(origin(wildcards.dataset), 0)
    conda:
        "../../envs/train.yaml"
    # One thread each: the trainings fill the cores side by side, and give the same weights
    # whatever the number of cores.
    threads: 1
    resources:
        # A CPU's need, and a GPU's libraries'.
        mem_mb=rising(3000),
        # Minutes. Cut off, it goes on from its checkpoint.
        runtime=rising(240),
        # On a cluster the profile says, since this asks the machine where the run is started.
        gpu=gpus_of_a_training(),
    params:
        model=model_settings,
        training=lambda wildcards: config["training"][wildcards.dataset][wildcards.model],
        device=config["device"],
        # A model with one thing changed has the random numbers of the one that it was.
        seed_of=lambda wildcards: [
            origin(wildcards.dataset),
            origin(wildcards.model),
            wildcards.seed,
        ],
        # Not an output: Snakemake deletes the outputs of a job that was killed.
        checkpoint="results/checkpoints/{dataset}/{model}/seed-{seed}.safetensors",
        code=model_code("train_model"),
    script:
        "../scripts/train_model.py"
