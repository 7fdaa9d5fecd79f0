"""Fetch raw data and build datasets.

Needs:    nothing; raw data come from the sources in the config
Provides: results/data/{dataset}/tensors.safetensors, card.json
          results/data/{molecules}/molecules.parquet, results/data/qm9/catalogue.parquet
"""

# Raw files are what their digest says, wherever and whenever they came: the two fetch rules keep
# a file that is there (update), have no digest of code, and read their sources past params, so
# that another mirror reruns nothing. A file that is to be fetched again must be deleted first.


# On a cluster these run where the run was started: other machines may have no network.
localrules:
    fetch_qm9,
    fetch_fashion_mnist,


rule fetch_qm9:
    """Fetch the wheel that carries QM9, and check it."""
    output:
        wheel=update("results/raw/qm9pack-1.0.3-py3-none-any.whl"),
    log:
        "results/logs/fetch_qm9/qm9.log",
    benchmark:
        "results/benchmarks/fetch_qm9/qm9.tsv"
    priority: 30
    conda:
        "../../envs/fetch.yaml"
    threads: 1
    resources:
        mem_mb=rising(1000),
        runtime=rising(60),
    params:
        files=config["datasets"]["qm9"]["fetch"]["files"],
    script:
        "../scripts/fetch_qm9.py"


rule fetch_fashion_mnist:
    """Fetch the four files of Fashion-MNIST, unpacked, and check them."""
    output:
        train_images=update("results/raw/fashion_mnist/train-images-idx3-ubyte"),
        train_labels=update("results/raw/fashion_mnist/train-labels-idx1-ubyte"),
        test_images=update("results/raw/fashion_mnist/t10k-images-idx3-ubyte"),
        test_labels=update("results/raw/fashion_mnist/t10k-labels-idx1-ubyte"),
    log:
        "results/logs/fetch_fashion_mnist/fashion_mnist.log",
    benchmark:
        "results/benchmarks/fetch_fashion_mnist/fashion_mnist.tsv"
    priority: 30
    conda:
        "../../envs/fetch_images.yaml"
    threads: 1
    resources:
        mem_mb=rising(1000),
        runtime=rising(60),
    params:
        files=config["datasets"]["fashion_mnist"]["fetch"]["files"],
    script:
        "../scripts/fetch_fashion_mnist.py"


rule build_grid:
    """Sample one synthetic function on a grid, and beside it for validation and test."""
    output:
        tensors="results/data/{grid}/tensors.safetensors",
        card="results/data/{grid}/card.json",
    log:
        "results/logs/build_grid/{grid}.log",
    benchmark:
        "results/benchmarks/build_grid/{grid}.tsv"
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=rising(1500),
        runtime=rising(10),
    params:
        build=lambda wildcards: config["datasets"][wildcards.grid],
        code=code_digest("build_grid"),
    script:
        "../scripts/build_grid.py"


rule build_fashion_mnist:
    """Turn the pictures by random angles, and split them."""
    input:
        train_images="results/raw/fashion_mnist/train-images-idx3-ubyte",
        train_labels="results/raw/fashion_mnist/train-labels-idx1-ubyte",
        test_images="results/raw/fashion_mnist/t10k-images-idx3-ubyte",
        test_labels="results/raw/fashion_mnist/t10k-labels-idx1-ubyte",
    output:
        tensors="results/data/fashion_mnist/tensors.safetensors",
        card="results/data/fashion_mnist/card.json",
    log:
        "results/logs/build_fashion_mnist/fashion_mnist.log",
    benchmark:
        "results/benchmarks/build_fashion_mnist/fashion_mnist.tsv"
    priority: 30
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=rising(3000),
        runtime=rising(10),
    params:
        files=config["datasets"]["fashion_mnist"]["fetch"]["files"],
        build=config["datasets"]["fashion_mnist"]["build"],
        code=code_digest("build_fashion_mnist"),
    script:
        "../scripts/build_fashion_mnist.py"


rule build_qm9:
    """Select molecules, write them as graphs in canonical order, and split them."""
    input:
        wheel="results/raw/qm9pack-1.0.3-py3-none-any.whl",
    output:
        tensors="results/data/{molecules}/tensors.safetensors",
        card="results/data/{molecules}/card.json",
        molecules="results/data/{molecules}/molecules.parquet",
    log:
        "results/logs/build_qm9/{molecules}.log",
    benchmark:
        "results/benchmarks/build_qm9/{molecules}.tsv"
    priority: 30
    conda:
        "../../envs/molecules.yaml"
    # A job of two threads waits until two cores are free at once, and the longest trainings with
    # it; only all of QM9 takes long enough to be worth that.
    threads: lambda wildcards: 1 if asks_for_atoms(wildcards.molecules) else 2
    resources:
        mem_mb=rising(2000),
        runtime=rising(30),
    params:
        files=config["datasets"]["qm9"]["fetch"]["files"],
        build=lambda wildcards: config["datasets"][wildcards.molecules]["build"],
        code=code_digest("build_qm9"),
    script:
        "../scripts/build_qm9.py"


rule list_molecules:
    """Name all molecules of QM9, so that graphs that a model makes can be looked up."""
    input:
        wheel="results/raw/qm9pack-1.0.3-py3-none-any.whl",
    output:
        catalogue="results/data/qm9/catalogue.parquet",
    log:
        "results/logs/list_molecules/qm9.log",
    benchmark:
        "results/benchmarks/list_molecules/qm9.tsv"
    conda:
        "../../envs/catalogue.yaml"
    threads: 1
    resources:
        mem_mb=rising(2000),
        runtime=rising(10),
    params:
        files=config["datasets"]["qm9"]["fetch"]["files"],
        property=config["datasets"]["qm9"]["build"]["property"],
        code=code_digest("list_molecules"),
    script:
        "../scripts/list_molecules.py"
