# Every target sets itself up; nothing depends on what was installed by hand.
PYTHON ?= python3
PORT ?= 8123

.PHONY: setup run test system

.venv/.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	.venv/bin/pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

setup: .venv/.done

run: .venv/.done
	exec .venv/bin/python -m companion play --port $(PORT) $(ARGS)

tests/node_modules/.done: tests/package.json | system
	if command -v npm >/dev/null; then npm install --no-package-lock --no-audit --no-fund --prefix tests && touch $@; fi

# System packages for the tests alone: installed where that is allowed, else named in one line.
system:
	@command -v chromium >/dev/null && command -v node >/dev/null && command -v npm >/dev/null || \
	if [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq chromium nodejs npm; \
	elif sudo -n true 2>/dev/null; then sudo apt-get update -qq && sudo apt-get install -y -qq chromium nodejs npm; \
	else echo "To run every test: sudo apt-get install chromium nodejs npm"; [ "$$CI" != true ]; fi

test: .venv/.done tests/node_modules/.done
	.venv/bin/ruff format --check companion firmware tests
	.venv/bin/ruff check companion firmware tests
	.venv/bin/pytest -q -m "not long"
