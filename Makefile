# Every target sets up by itself whatever is missing, and is quick the second time.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
DEV    := $(VENV)/.ready-dev
TUNE   := $(VENV)/.ready-tune
# torch comes in another build for each machine, so no lock file can hold its hashes; make TORCH= leaves its tests out
TORCH  ?= torch==2.13.0
# large, and only the laboratory's engine for clusters needs it; make RAY= leaves its test out
RAY    ?= ray[data]==2.60.0

.PHONY: demo test check bench setup weights clean

demo: weights
	@$(BIN)/python samples/demo.py

test: $(TUNE) weights
	@$(BIN)/python -m pytest -n 2 --dist loadgroup

check: $(TUNE) weights
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

$(TUNE): $(DEV)
	@[ -z "$(TORCH)$(RAY)" ] || { echo "Fetching $(TORCH) $(RAY) (once; large) …" && $(BIN)/python -m pip install --quiet --disable-pip-version-check $(TORCH) $(if $(RAY),'$(RAY)'); }
	@touch $(TUNE)

clean:
	rm -rf $(VENV) out build dist .pytest_cache .ruff_cache .hypothesis
