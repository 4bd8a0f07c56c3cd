# Every target sets up what it needs: a fresh machine needs Python 3.11 or later (with venv) and make only.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEV := $(VENV)/.installed-dev
SOLVE := $(VENV)/.installed-solve
# Small dense blocks are several times faster on one BLAS thread.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: demo test lint symbolic docs proofs bench clean

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)

$(SOLVE): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[solve]'
	touch $@

$(DEV): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(SOLVE)

demo: $(SOLVE)
	mkdir -p demo
	cp certify/samples/optdigits.csv demo/optdigits.csv
	$(BIN)/certify design demo/optdigits.csv --scale 1/16 --rho 1 -o demo/noise.cert.json
	$(BIN)/certify check demo/noise.cert.json --records demo/optdigits.csv --quiet
	$(BIN)/certify show demo/noise.cert.json
	$(BIN)/certify export demo/noise.cert.json --covariance demo/sigma.npy --quiet
	@echo "demo/noise.cert.json is the certificate, demo/sigma.npy the covariance it is about, bit for bit."

test: $(DEV)
	$(BIN)/python -m pytest -n auto --dist loadgroup

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

symbolic: $(DEV)
	$(BIN)/python -m symbolic

docs: $(DEV)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

proofs:
	$(MAKE) -C proofs

bench: $(DEV)
	$(BIN)/python benchmarks/results.py

clean:
	rm -rf $(VENV) demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
	$(MAKE) -C proofs clean
