"""Draw the paper's figures, each from a notebook of its own.

Needs:    results/levelsets/{dataset}/{model}/seed-{seed}/*.parquet, *.json (levelset.smk)
          results/raw/qm9pack-*.whl, results/data/qm9/card.json             (data.smk)
Provides: results/figures/figure_{1..6,6_statistics}.{svg,png,parquet}
          results/notebooks/figure_{1..6,6_statistics}.{ipynb,html}

Of several seeds, the figures show the first. A notebook that stops at an error is kept, as far as
it came, beside its log.
"""

# One figure, one seed: the curves of different seeds cannot be averaged into one picture.
_ROSENBROCK = f"results/levelsets/rosenbrock/gicnn/seed-{SEEDS[0]}"
_MIXTURE = f"results/levelsets/gaussian_mixture/gicnn/seed-{SEEDS[0]}"
_MIXTURE_BASELINE = f"results/levelsets/gaussian_mixture/baseline/seed-{SEEDS[0]}"
_IMAGES = f"results/levelsets/fashion_mnist/gicnn_approximate/seed-{SEEDS[0]}"
_MOLECULES = f"results/levelsets/qm9/gicnn_approximate/seed-{SEEDS[0]}"


rule figure_1:
    """One level curve of the Rosenbrock function, in input space and in latent space."""
    input:
        notebook=repository("workflow/notebooks/figure_1.ipynb"),
        level_curves=f"{_ROSENBROCK}/level_curves.parquet",
        minima=f"{_ROSENBROCK}/minima.parquet",
    output:
        svg=report(
            "results/figures/figure_1.svg",
            caption="../report/figure_1.rst",
            category="2 Figures",
            subcategory="Rosenbrock",
            labels={"figure": "1", "view": "picture"},
        ),
        png="results/figures/figure_1.png",
        table="results/figures/figure_1.parquet",
        notebook="results/notebooks/figure_1.ipynb",
        html=report(
            "results/notebooks/figure_1.html",
            caption="../report/figure_1.rst",
            category="2 Figures",
            subcategory="Rosenbrock",
            labels={"figure": "1", "view": "notebook"},
        ),
    log:
        "results/logs/figure_1.log",
    benchmark:
        "results/benchmarks/figure_1.tsv"
    conda:
        "../../envs/figures.yaml"
    threads: 1
    params:
        code=notebook_digest("figure_1"),
    script:
        "../scripts/run_notebook.py"


rule figure_2:
    """The rays that find a level curve of the Rosenbrock function."""
    input:
        notebook=repository("workflow/notebooks/figure_2.ipynb"),
        level_curves=f"{_ROSENBROCK}/level_curves.parquet",
        minima=f"{_ROSENBROCK}/minima.parquet",
        landscape=f"{_ROSENBROCK}/landscape.parquet",
    output:
        svg=report(
            "results/figures/figure_2.svg",
            caption="../report/figure_2.rst",
            category="2 Figures",
            subcategory="Rosenbrock",
            labels={"figure": "2", "view": "picture"},
        ),
        png="results/figures/figure_2.png",
        table="results/figures/figure_2.parquet",
        notebook="results/notebooks/figure_2.ipynb",
        html=report(
            "results/notebooks/figure_2.html",
            caption="../report/figure_2.rst",
            category="2 Figures",
            subcategory="Rosenbrock",
            labels={"figure": "2", "view": "notebook"},
        ),
    log:
        "results/logs/figure_2.log",
    benchmark:
        "results/benchmarks/figure_2.tsv"
    conda:
        "../../envs/figures.yaml"
    threads: 1
    params:
        code=notebook_digest("figure_2"),
    script:
        "../scripts/run_notebook.py"


rule figure_3:
    """Several level curves of the Rosenbrock function, and their error far beyond the data."""
    input:
        notebook=repository("workflow/notebooks/figure_3.ipynb"),
        level_curves=f"{_ROSENBROCK}/level_curves.parquet",
        minima=f"{_ROSENBROCK}/minima.parquet",
        landscape=f"{_ROSENBROCK}/landscape.parquet",
        extrapolation=f"{_ROSENBROCK}/extrapolation.parquet",
    output:
        svg=report(
            "results/figures/figure_3.svg",
            caption="../report/figure_3.rst",
            category="2 Figures",
            subcategory="Rosenbrock",
            labels={"figure": "3", "view": "picture"},
        ),
        png="results/figures/figure_3.png",
        table="results/figures/figure_3.parquet",
        notebook="results/notebooks/figure_3.ipynb",
        html=report(
            "results/notebooks/figure_3.html",
            caption="../report/figure_3.rst",
            category="2 Figures",
            subcategory="Rosenbrock",
            labels={"figure": "3", "view": "notebook"},
        ),
    log:
        "results/logs/figure_3.log",
    benchmark:
        "results/benchmarks/figure_3.tsv"
    conda:
        "../../envs/figures.yaml"
    threads: 1
    params:
        code=notebook_digest("figure_3"),
    script:
        "../scripts/run_notebook.py"


rule figure_4:
    """Level curves of the Gaussian mixture, with and without input convexity."""
    input:
        notebook=repository("workflow/notebooks/figure_4.ipynb"),
        gicnn_level_curves=f"{_MIXTURE}/level_curves.parquet",
        gicnn_minima=f"{_MIXTURE}/minima.parquet",
        gicnn_landscape=f"{_MIXTURE}/landscape.parquet",
        baseline_level_curves=f"{_MIXTURE_BASELINE}/level_curves.parquet",
        baseline_minima=f"{_MIXTURE_BASELINE}/minima.parquet",
        baseline_landscape=f"{_MIXTURE_BASELINE}/landscape.parquet",
    output:
        svg=report(
            "results/figures/figure_4.svg",
            caption="../report/figure_4.rst",
            category="2 Figures",
            subcategory="Gaussian mixture",
            labels={"figure": "4", "view": "picture"},
        ),
        png="results/figures/figure_4.png",
        table="results/figures/figure_4.parquet",
        notebook="results/notebooks/figure_4.ipynb",
        html=report(
            "results/notebooks/figure_4.html",
            caption="../report/figure_4.rst",
            category="2 Figures",
            subcategory="Gaussian mixture",
            labels={"figure": "4", "view": "notebook"},
        ),
    log:
        "results/logs/figure_4.log",
    benchmark:
        "results/benchmarks/figure_4.tsv"
    conda:
        "../../envs/figures.yaml"
    threads: 1
    params:
        code=notebook_digest("figure_4"),
    script:
        "../scripts/run_notebook.py"


rule figure_5:
    """Pictures on a path along one level of the rotation angle."""
    input:
        notebook=repository("workflow/notebooks/figure_5.ipynb"),
        path=f"{_IMAGES}/path.parquet",
    output:
        svg=report(
            "results/figures/figure_5.svg",
            caption="../report/figure_5.rst",
            category="2 Figures",
            subcategory="Fashion-MNIST",
            labels={"figure": "5", "view": "picture"},
        ),
        png="results/figures/figure_5.png",
        table="results/figures/figure_5.parquet",
        notebook="results/notebooks/figure_5.ipynb",
        html=report(
            "results/notebooks/figure_5.html",
            caption="../report/figure_5.rst",
            category="2 Figures",
            subcategory="Fashion-MNIST",
            labels={"figure": "5", "view": "notebook"},
        ),
    log:
        "results/logs/figure_5.log",
    benchmark:
        "results/benchmarks/figure_5.tsv"
    conda:
        "../../envs/figures.yaml"
    threads: 1
    params:
        code=notebook_digest("figure_5"),
    script:
        "../scripts/run_notebook.py"


rule figure_6:
    """Molecules on a path along one level of their property."""
    input:
        notebook=repository("workflow/notebooks/figure_6.ipynb"),
        path=f"{_MOLECULES}/path.parquet",
        wheel="results/raw/qm9pack-1.0.3-py3-none-any.whl",
        card="results/data/qm9/card.json",
    output:
        svg=report(
            "results/figures/figure_6.svg",
            caption="../report/figure_6.rst",
            category="2 Figures",
            subcategory="QM9",
            labels={"figure": "6", "view": "picture"},
        ),
        png="results/figures/figure_6.png",
        table="results/figures/figure_6.parquet",
        notebook="results/notebooks/figure_6.ipynb",
        html=report(
            "results/notebooks/figure_6.html",
            caption="../report/figure_6.rst",
            category="2 Figures",
            subcategory="QM9",
            labels={"figure": "6", "view": "notebook"},
        ),
    log:
        "results/logs/figure_6.log",
    benchmark:
        "results/benchmarks/figure_6.tsv"
    conda:
        "../../envs/figures.yaml"
    threads: 1
    params:
        code=notebook_digest("figure_6"),
    script:
        "../scripts/run_notebook.py"


rule figure_6_statistics:
    """Many paths between molecules on several levels, summed up."""
    input:
        notebook=repository("workflow/notebooks/figure_6_statistics.ipynb"),
        summary=f"{_MOLECULES}/paths.json",
        card="results/data/qm9/card.json",
    output:
        svg=report(
            "results/figures/figure_6_statistics.svg",
            caption="../report/figure_6_statistics.rst",
            category="2 Figures",
            subcategory="QM9",
            labels={"figure": "6, statistics", "view": "picture"},
        ),
        png="results/figures/figure_6_statistics.png",
        table="results/figures/figure_6_statistics.parquet",
        notebook="results/notebooks/figure_6_statistics.ipynb",
        html=report(
            "results/notebooks/figure_6_statistics.html",
            caption="../report/figure_6_statistics.rst",
            category="2 Figures",
            subcategory="QM9",
            labels={"figure": "6, statistics", "view": "notebook"},
        ),
    log:
        "results/logs/figure_6_statistics.log",
    benchmark:
        "results/benchmarks/figure_6_statistics.tsv"
    conda:
        "../../envs/figures.yaml"
    threads: 1
    params:
        code=notebook_digest("figure_6_statistics"),
    script:
        "../scripts/run_notebook.py"
