# Everything from nothing but python3 with venv: `make demo`, `make test`, `make lint`, `make record`,
# `make scaling`, `make tips`.
PYTHON ?= python3
VENV ?= .venv
OUT ?= demo
BIN := $(VENV)/bin

.PHONY: demo test lint record scaling tips clean

demo: $(VENV)/installed
	$(BIN)/gdmj demo --out $(OUT)

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest -n auto --dist loadscope

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The first result of the README.
record: $(VENV)/installed
	$(BIN)/gdmj simulate maima zhuama jipinghu --hands 1e6 --seed 2026 --out record
	$(BIN)/python -m analysis.record record

# reports/scaling.md: some twenty minutes on two quiet cores; HANDS="1e6 1e8" for other sizes.
scaling: $(VENV)/installed-dev
	$(BIN)/python -m analysis.scaling $(if $(HANDS),--hands $(HANDS))

# reports/tips: every strategy tip, an hour on two cores; BUDGET=20m for less.
tips: $(VENV)/installed
	$(BIN)/gdmj tips --budget $(or $(BUDGET),1h) --out reports/tips

# The stamps make a second call quick; a change of the pinned versions installs again.
$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) $(OUT) .mypy_cache .pytest_cache .ruff_cache .hypothesis
