"""From raw data to every number, figure and claim of the paper."""

from snakemake.utils import min_version

min_version("9.27")


configfile: f"{workflow.basedir}/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/train.smk"
include: "workflow/rules/evaluate.smk"
include: "workflow/rules/levelset.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/record.smk"


rule all:
    """Everything: claims, figures, certificates and what they stand on."""
    default_target: True
    input:
        everything(),
        "results/manifest.json",


rule connectedness:
    """Just the verdicts on the synthetic data: are level sets connected?"""
    input:
        verdicts(),


rule ablations:
    """Just the table of models with one thing changed; for a recipe that names some."""
    input:
        "results/ablations.csv",
