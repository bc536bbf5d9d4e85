# Everything from nothing but python3 with venv: `make demo`, `make test`, `make lint`, `make record`,
# `make record-all`, `make scaling`, `make bench`, `make tips`.
PYTHON ?= python3
VENV ?= .venv
OUT ?= demo
BIN := $(VENV)/bin

RULES := $(notdir $(basename $(wildcard sim/variants/*.toml)))

.PHONY: demo test lint record record-all scaling bench tips clean

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

# reports/all-rules.*: every rule set at a million hands (some half an hour of one core), all of them on the same walls,
# and with them the first result. HANDS=1e4 tries it; an interrupted one goes on.
record-all: $(VENV)/installed
	$(BIN)/gdmj simulate $(RULES) --hands $(or $(HANDS),1e6) --seed 2026 --out record-all --resume
	$(BIN)/gdmj compare maima $(filter-out maima,$(RULES)) --hands $(or $(HANDS),1e5) --seed 2026 --out record-all > /dev/null
	$(BIN)/python -m analysis.record_all record-all

# reports/scaling.md: some twenty minutes on two quiet cores; HANDS="1e6 1e8" for other sizes.
scaling: $(VENV)/installed-dev
	$(BIN)/python -m analysis.scaling $(if $(HANDS),--hands $(HANDS))

# reports/bench.md: half an hour on two quiet cores, most of it for ten million hands, twice. It installs the programs
# that it compares with into the cache folder.
bench: $(VENV)/installed
	$(BIN)/gdmj bench --against all --sizes 1e4 1e5 1e6 1e7 --out reports

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
