# Every target sets up by itself whatever is missing, and is quick the second time.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
DEV    := $(VENV)/.ready-dev

.PHONY: demo test check bench setup weights clean

demo: weights
	@$(BIN)/python samples/demo.py

test: $(DEV) weights
	@$(BIN)/python -m pytest -n 2 --dist loadgroup

check: $(DEV) weights
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/basedpyright
	@$(BIN)/python -m pytest -n 2 --dist loadgroup

bench: weights
	@$(BIN)/python bench/run.py

setup: $(READY)

weights: $(READY)
	@$(BIN)/heartfelt models pull --quiet

$(READY): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is needed: install it, or say make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; this is $$($(PYTHON) --version). Say make PYTHON=/path/to/python"; exit 1; }
	@echo "Setting up $(VENV) (once, a minute or two) …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)

$(DEV): $(READY) requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $(DEV)

clean:
	rm -rf $(VENV) out build dist .pytest_cache .ruff_cache .hypothesis
