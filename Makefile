# One line per chore; each target sets up what it needs and can be stopped and run again.
RECIPE ?= default
PYTHON ?= python3
CORES  ?= all
PROFILE ?= workflow/profiles/default
PART   ?=
A      ?= $(RUN)/results
B      ?= results/reference/$(RECIPE)

BIN       := .venv/bin
# The default recipe's results are in results/, another recipe's in runs/RECIPE/results/; with
# RUN=/scratch/me/gicnn they are in /scratch/me/gicnn/results.
RUN        = $(if $(filter default,$(RECIPE)),.,runs/$(RECIPE))
OVERLAY    = $(if $(filter default,$(RECIPE)),,--configfile workflow/recipes/$(RECIPE).yaml \
             --config recipe=$(RECIPE))
# The jobs here get cores; those of a profile that names an executor, such as a cluster, have theirs.
HERE       = $(shell grep -qs '^executor:' "$(PROFILE)/config.yaml" || echo --cores $(CORES))
# ARGS is for more options of Snakemake.
SNAKEMAKE  = $(BIN)/python workflow/exclusive.py "$(RUN)" $(BIN)/python -m snakemake --nolock \
             --snakefile Snakefile --directory "$(RUN)" $(OVERLAY) \
             --workflow-profile "$(PROFILE)"
.PHONY: reproduce smoke audit compare record test slurm-test conda-test lint format venv lock help

help:          ## show this list
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/ \t/'

reproduce: venv ## raw data to report, with RECIPE=default, record, another of workflow/recipes or your own
	@test -z "$(OVERLAY)" || test -f workflow/recipes/$(RECIPE).yaml || \
	  { echo "no recipe '$(RECIPE)'; there are: default $(basename $(notdir $(wildcard workflow/recipes/*.yaml)))" >&2; exit 2; }
	@echo "Recipe $(RECIPE); results will be in $(RUN)/results"
	@$(SNAKEMAKE) $(HERE) $(ARGS) || { echo "The run did not finish. What went wrong is above and in" \
	  "$(RUN)/results/logs; the same command goes on from here." >&2; exit 1; }
	@$(BIN)/python -m gicnn.record claims "$(RUN)/results"

smoke:         ## the whole graph on shrunken settings, in minutes
	@$(MAKE) --no-print-directory reproduce RECIPE=smoke

audit: venv    ## whether every file is as its job left it, and fits today's config and code
	@failed=0; $(BIN)/python -m gicnn.record audit "$(RUN)/results" --repository . || failed=1; \
	if ! test -d "$(RUN)/.snakemake/metadata"; then failed=1; \
	  echo "$(RUN)/.snakemake is not there, without which nothing tells whether these results fit" \
	    "today's config and code." >&2; \
	elif plan="$$(mktemp)" && trap 'rm -f "$$plan"' EXIT && ! $(SNAKEMAKE) --cores 1 --dry-run \
	    --quiet host > "$$plan" 2>&1 || grep -q "missing provenance" "$$plan"; then failed=1; \
	  cat "$$plan" >&2; \
	  echo "Whether these results fit today's config and code is not known; why is above." >&2; \
	elif ! grep -q "Nothing to be done" "$$plan"; then failed=1; \
	  cat "$$plan" >&2; \
	  echo "These jobs no longer fit config or code; run again." >&2; \
	fi; exit $$failed

compare: venv  ## two runs, A=results and B=results/reference/default or others, side by side
	@$(BIN)/python -m gicnn.record compare "$(A)" "$(B)"

record: venv   ## keep the small part of a run of RECIPE in results/reference; PART=models if unfinished
	@$(BIN)/python -m gicnn.record keep $(if $(PART),--part $(PART),$(if $(filter smoke,$(RECIPE)),--numbers)) \
	  "$(RUN)/results" results/reference/$(RECIPE)
	@$(BIN)/python -m gicnn.record fill results/reference/default README.md
	@$(BIN)/python -m gicnn.record fill results/reference/default results/reference/README.md

test: venv     ## all tests
	@$(BIN)/python -m pytest -n 2

slurm-test: venv ## the smoke recipe on SLURM (your PROFILE's), on a cluster of one node where there is none
	@$(MAKE) --no-print-directory smoke RUN=runs/smoke PROFILE=workflow/profiles/default
	@$(BIN)/python workflow/exclusive.py runs/.slurm-test $(BIN)/python tests/slurm/run.py runs/smoke \
	  "$(if $(filter workflow/profiles/default,$(PROFILE)),workflow/profiles/slurm,$(PROFILE))"

conda-test: venv ## the smoke run with each rule in its own conda environment
	@$(BIN)/python workflow/exclusive.py .conda-test $(BIN)/python tests/conda/run.py $(CORES)

lint: venv     ## format and lint, without changing a file
	@$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/snakefmt --check Snakefile workflow \
	  && $(BIN)/python -m snakemake --lint

format: venv   ## bring every file into shape
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix . && $(BIN)/snakefmt Snakefile workflow

venv:          ## .venv from envs/requirements.lock, if missing or stale
	@$(PYTHON) envs/build_venv.py

lock:          ## envs/requirements.lock anew from pyproject.toml; needs uv
	@uv pip compile pyproject.toml --extra workflow --extra dev --universal --generate-hashes \
	  --no-annotate --no-header --quiet --output-file envs/requirements.lock
