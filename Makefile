# Every target sets itself up first; nothing depends on what was installed by hand.
# `make run ARGS="--demo --speed 4"` passes flags to `companion play`; docs/reference/cli.md has them all.
PYTHON ?= python3
PORT ?= 8123
BIN := .venv/bin
CODE := companion firmware hardware tests docs/pictures
NEEDED := chromium nodejs npm gcc mosquitto nats-server
HEADERS = $$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h

.PHONY: setup run test test-all test-club test-league bench bench-reporting arena tables soak perception solids words keep check page system hardware pi-libraries

setup: .venv/.done

.venv/.done: pyproject.toml constraints.txt
	@# On a Pi the system's own lgpio is used, where apt has brought it: pip has none for every Pi.
	@$(PYTHON) -m venv $$($(PYTHON) -c 'import lgpio' 2>/dev/null && echo --system-site-packages) .venv || { echo "Type this first: sudo apt-get install git make python3-venv" >&2; exit 1; }
	@# The build tools come first, pinned like the rest: pip's own build environment would take the newest.
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt hatchling editables
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $@

run: .venv/.done
	@exec $(BIN)/python -m companion play --port $(PORT) $(ARGS)

test: check page pi-libraries tests/node_modules/.done
	$(BIN)/pytest -q -n 4 -m "not long" $(ARGS)

test-all: check page pi-libraries tests/node_modules/.done
	$(BIN)/pytest -q -n 4 $(ARGS)

# Forty boards, and all they depend on killed again and again.
test-club: .venv/.done | system
	@PYTHONPATH=tests exec $(BIN)/python tests/club/many.py $(ARGS)

# A thousand simulated boards on three nodes whose leader is killed.
test-league: .venv/.done | system
	@PYTHONPATH=tests exec $(BIN)/python tests/club/league.py $(ARGS)

bench: .venv/.done
	@$(BIN)/python tests/bench/run.py $(ARGS)

# A table that tells a broker against one that does not, in turn.
bench-reporting: .venv/.done
	@PYTHONPATH=tests exec $(BIN)/python tests/bench/reporting.py $(ARGS)

arena: .venv/.done
	@PYTHONPATH=tests exec $(BIN)/python tests/arena/run.py $(ARGS)

tables: .venv/.done
	@PYTHONPATH=tests $(BIN)/python tests/arena/make_tables.py $(ARGS)
	@PYTHONPATH=tests exec $(BIN)/python tests/arena/make_races.py

soak: .venv/.done
	@exec $(BIN)/python tests/bench/soak.py $(ARGS)

perception: .venv/.done
	@$(BIN)/python tests/perception/run.py $(ARGS)

# Every sentence that wants translating, into the catalogue of each language; what they say of it already is kept.
words: .venv/.done
	@PYTHONPATH=tests exec $(BIN)/python -m words.gather

solids:
	@command -v openscad >/dev/null || { echo "Type this first: sudo apt-get install openscad" >&2; exit 1; }
	@cd hardware/solids && for each in peg jig wood; do openscad -q --export-format binstl -o $$each.stl $$each.scad || exit 1; done

keep: .venv/.done
	@$(BIN)/python tests/perception/keep.py "$(RECORDING)" "$(NAME)" $(if $(TO),--to $(TO))

check: .venv/.done
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports

# The page's modules: their types, against those of the API, and the tests of what is pure in them.
page: .venv/.done tests/node_modules/.done
	@if [ -x tests/node_modules/.bin/tsc ]; then \
	cd tests && ../$(BIN)/python -m web.write_fixtures && node_modules/.bin/tsc -p web && node --test --test-reporter=spec web/*.test.mjs; \
	else echo "The page's modules are not checked: node and typescript could not be had." >&2; [ "$$CI" != true ]; fi

# The circuit boards, drawn anew: docs/reference/pcb.md. KEEP=1 keeps the tracks they have. pcbnew is of the system's Python.
hardware: .venv/.done
	@/usr/bin/python3 -c 'import pcbnew' 2>/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq \
	&& apt-get install -y -qq --no-install-recommends kicad kicad-footprints kicad-symbols; } \
	|| { echo "Type this first: sudo apt-get install --no-install-recommends kicad kicad-footprints kicad-symbols" >&2; exit 1; }
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[hardware]'
	rm -rf build/pcb/given
	$(BIN)/python -m hardware.pcb.given build/pcb/given
	/usr/bin/python3 -m hardware.pcb.make $(or $(ARGS:%=build/pcb/given/%.json),build/pcb/given/*.json) $(if $(KEEP),--keep-tracks)
	$(BIN)/python -W ignore -m hardware.pcb.picture $(or $(ARGS:%=hardware/pcb/boards/%),hardware/pcb/boards/*)

# What the tests alone need from the system: installed where that is allowed, else named in one line to type.
# Without it the tests that need it are skipped and say so; in CI (CI=true) that is a failure.
system:
	@PATH="$$PATH:/usr/sbin"; missing="$$(for each in $(NEEDED); do command -v $$each >/dev/null || echo $$each; done | xargs)"; \
	[ -d /usr/lib/postgresql ] || missing="$$(echo $$missing postgresql)"; \
	[ -e "$(HEADERS)" ] || missing="$$(echo $$missing python3-dev)"; \
	if [ -z "$$missing" ]; then exit; \
	elif [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq $$missing; \
	elif sudo -n true 2>/dev/null; then sudo apt-get update -qq && sudo apt-get install -y -qq $$missing; \
	else false; fi || { echo "To run every test, type: sudo apt-get install $$missing" >&2; [ "$$CI" != true ]; }

# The libraries of a real Pi, for the tests that must show that none of them ends the program. Two have no wheels.
pi-libraries: .venv/.pi-libraries

.venv/.pi-libraries: .venv/.done constraints.txt | system
	@if $(BIN)/pip install -q --disable-pip-version-check -c constraints.txt evdev gpiod lgpio rpi_ws281x; then touch $@; \
	else echo "The tests with the libraries of a real Pi are skipped: gcc, python3-dev, linux-libc-dev or swig lacks." >&2; \
	[ "$$CI" != true ]; fi

tests/node_modules/.done: tests/package.json | system
	@if command -v npm >/dev/null && npm install --silent --no-package-lock --no-audit --no-fund --prefix tests; then \
	touch $@; else echo "The tests that need packages of npm are skipped: they could not be had." >&2; [ "$$CI" != true ]; fi
