# Every target sets itself up; nothing depends on what was installed by hand.
PYTHON ?= python3
PORT ?= 8123

.PHONY: setup run test

.venv/.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	.venv/bin/pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

setup: .venv/.done

run: .venv/.done
	exec .venv/bin/python -m companion play --port $(PORT) $(ARGS)

test: .venv/.done
	.venv/bin/ruff format --check companion firmware tests
	.venv/bin/ruff check companion firmware tests
	.venv/bin/pytest -q -m "not long"
