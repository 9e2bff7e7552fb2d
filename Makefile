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
WEB    := src/heartfelt/server/web/index.html
APP    := $(shell find web/src web/public web/index.html web/viewer.html web/vite.config.ts web/vite.viewer.config.ts -type f 2>/dev/null)
NODE   := Node 20.19 or newer is needed to build the web app. Install it from https://nodejs.org or your system's packages

.PHONY: demo serve test check nightly audit bench setup weights web wheel release browser clean

demo: weights
	@$(BIN)/heartfelt demo --out out/demo

serve: weights web
	@$(BIN)/heartfelt serve

test: $(TUNE) weights web browser
	@cd web && npm run --silent check
	@$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not slow"

check: $(TUNE) weights web browser
	@cd web && npm run --silent check
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/basedpyright
	@$(BIN)/lint-imports
	@$(BIN)/python tools/audit.py
	@$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not slow"

# every test, also those that take long
nightly: $(TUNE) weights web browser
	@$(BIN)/python -m pytest -n 2 --dist loadgroup

# known vulnerabilities of what is shipped; says so where no advisory service can be reached
audit: $(DEV)
	@$(BIN)/python tools/audit.py

bench: $(DEV) weights
	@$(BIN)/python bench/run.py

setup: $(READY)

web: $(WEB)

# what others install with pip, without Node: the package with the built web app, the same bytes for the same commit
wheel: $(READY) web
	@SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-cache-dir -w dist .
	@ls dist/*.whl

# a release, checked step by step; uploads nothing
release: $(DEV) web
	@$(BIN)/python tools/release.py

$(WEB): web/node_modules/.ready $(APP)
	@cd web && npm run --silent build

web/node_modules/.ready: web/package-lock.json
	@command -v npm >/dev/null || { echo "$(NODE)"; exit 1; }
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' || { echo "$(NODE); this is $$(node --version)"; exit 1; }
	@echo "Fetching what the web app is built with (once) …"
	@cd web && npm ci --silent --no-audit --no-fund
	@touch $@

# the tests of the web app drive a real browser, and one test traces what goes over the network
browser:
	@command -v strace >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing Debian's strace for the test of the network (once) …"; \
			apt-get update -qq && apt-get install -y -qq --no-install-recommends strace >/dev/null; \
		else \
			echo "One test needs strace. Install it: apt-get install strace (or your system's own package)"; exit 1; \
		fi; }
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing Debian's chromium for the browser tests (once) …"; \
			apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
		else \
			echo "The browser tests need Chromium. Install it: apt-get install chromium (or your system's own package)"; exit 1; \
		fi; }

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
	rm -rf $(VENV) out build dist src/heartfelt/server/web web/node_modules .pytest_cache .ruff_cache .hypothesis
