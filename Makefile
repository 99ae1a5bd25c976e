# Every target sets itself up first; nothing depends on what was installed by hand.
# `make run ARGS="--demo --speed 4"` passes flags to `companion play`; docs/reference/cli.md has them all.
PYTHON ?= python3
# Compiled modules are kept, whatever the environment says: compiling them takes most of the time of a start.
export PYTHONDONTWRITEBYTECODE :=
PORT ?= 8123
BIN := .venv/bin
PIP := $(BIN)/pip install -q --disable-pip-version-check
CODE := companion firmware hardware tests docs/pictures docs/site
HEADERS = $$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h
# What the tests need from the system: a Debian package = the command or file that shows that it is there.
SYSTEM := chromium-headless-shell=chromium-headless-shell dbus=dbus-daemon gcc=gcc iproute2=ip kicad-symbols=/usr/share/kicad/symbols \
	libc6-dev=/usr/include/stdlib.h mosquitto=mosquitto \
	nats-server=nats-server ngspice=ngspice nodejs=node npm=npm openssl=openssl postgresql=/usr/lib/postgresql python3-dev=$(HEADERS) python3-dbusmock=/usr/lib/python3/dist-packages/dbusmock \
	swig=swig systemd=systemd-analyze

.PHONY: setup run test test-all test-club test-league test-fresh pi pi-arm bench bench-before bench-small bench-reporting arena tables soak perception solids \
	words keep cards-net cards-measure pegs-measure check page release site system hardware pi-libraries requirements

setup: .venv/.dev

# What a table needs. Every package is pinned with its hashes: `make requirements` writes these files.
.venv/.base: pyproject.toml requirements/base.txt
	@# A Pi uses the lgpio that apt installs, because pip does not have it for every Pi.
	@$(PYTHON) -m venv $$($(PYTHON) -c 'import lgpio' 2>/dev/null && echo --system-site-packages) .venv || { echo "Type this first: sudo apt-get install git make python3-venv" >&2; exit 1; }
	$(PIP) --require-hashes -r requirements/base.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

# What developing needs too.
.venv/.dev: .venv/.base requirements/dev.txt
	$(PIP) --require-hashes -r requirements/base.txt -r requirements/dev.txt
	@touch $@

run: .venv/.base
	@exec $(BIN)/python -m companion play --port $(PORT) $(ARGS)

# The checks run beside the tests, which leave a core idle now and then. Both are done to the end, and either can fail.
define RUN_TESTS
@mkdir -p build; $(MAKE) --no-print-directory check page >build/checks.txt 2>&1 & checks=$$!; \
$(BIN)/pytest -q -n 4 --dist worksteal $(1) $(ARGS); tests=$$?; \
if wait $$checks; then echo "style, types, imports and the page's modules: passed (build/checks.txt)"; else cat build/checks.txt; false; fi && exit $$tests
endef

test: .venv/.dev pi-libraries tests/node_modules/.done
	$(call RUN_TESTS,-m "not long")

test-all: SYSTEM += debootstrap=debootstrap dnsmasq-base=dnsmasq fuse3=fusermount3 kicad=/usr/bin/pcbnew libnbd-bin=nbdfuse openssh-client=ssh \
	qemu-system-x86=qemu-system-x86_64 qemu-utils=qemu-img
test-all: .venv/.dev pi-libraries tests/node_modules/.done
	$(call RUN_TESTS)
	tests/fresh_machine.sh
	$(BIN)/python -m tests.pi.run

# `make run` and `make test` on a clean Debian 12 and a clean Debian 13. `make test-fresh ARGS=trixie` takes one of them.
test-fresh: SYSTEM := debootstrap=debootstrap
test-fresh: system
	tests/fresh_machine.sh $(ARGS)

# The life of a board on a clean Debian 12 and 13 with systemd: power cuts, a full disk, another network and more.
pi: SYSTEM := debootstrap=debootstrap dnsmasq-base=dnsmasq fuse3=fusermount3 iproute2=ip libnbd-bin=nbdfuse \
	openssh-client=ssh qemu-system-x86=qemu-system-x86_64
pi: .venv/.dev system
	@exec $(BIN)/python -m tests.pi.run $(ARGS)

# A table on an emulated aarch64 machine with Debian 13: 20 minutes beside other work, the first time an hour.
pi-arm: SYSTEM := cpio=cpio debootstrap=debootstrap nodejs=node npm=npm qemu-system-arm=qemu-system-aarch64
pi-arm: .venv/.dev tests/node_modules/.done
	@exec nice $(BIN)/python -m tests.pi.arm

# Forty boards, and all they depend on killed again and again.
test-club: .venv/.dev | system
	@exec $(BIN)/python -m tests.plugins.club.stress_evening $(ARGS)

# A thousand simulated boards on three nodes whose leader is killed.
test-league: .venv/.dev | system
	@exec $(BIN)/python -m tests.plugins.club.stress_cluster $(ARGS)

bench: .venv/.dev
	@$(BIN)/python -m tests.bench.run $(ARGS)

# The start of this checkout against that of another one: make bench-before BEFORE=../older
bench-before: .venv/.dev
	@exec $(BIN)/python -m tests.bench.side_by_side $(BEFORE)

# A table with 15 % of one core and 256 MiB, in turn with one that has all of them.
bench-small: .venv/.dev
	@exec $(BIN)/python -m tests.bench.small_machine $(ARGS)

# A table that tells a broker against one that does not, in turn.
bench-reporting: .venv/.dev
	@exec $(BIN)/python -m tests.bench.reporting $(ARGS)

arena: .venv/.dev
	@exec $(BIN)/python -m companion arena $(or $(ARGS),expert heuristic --processes 2)

tables: .venv/.dev
	@exec $(BIN)/python -m tests.plugins.arena.make_tables $(ARGS)

soak: .venv/.dev
	@exec $(BIN)/python -m tests.bench.soak $(ARGS)

perception: .venv/.dev
	@$(BIN)/python -m tests.perception.run $(ARGS)

# The networks that read cards, trained on drawn cards: the same fonts, decks and kind of processor give the same file.
cards-net: build/cards/decks/.done
	@exec nice $(BIN)/python -m tests.plugins.cards.make_net $(ARGS)

cards-measure: build/cards/decks/.done
	@exec $(BIN)/python -m tests.plugins.cards.measure $(ARGS)

pegs-measure: .venv/.dev
	@exec $(BIN)/python -m tests.plugins.peg_photos.measure $(ARGS)

# Fonts and drawings of decks, which nothing else needs.
build/cards/decks/.done: .venv/.dev tests/plugins/cards/packages.txt tests/plugins/cards/draw_decks.py
	@packages="$$(xargs <tests/plugins/cards/packages.txt)"; dpkg -s $$packages >/dev/null 2>&1 \
	|| { [ "$$(id -u)" = 0 ] && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$packages >/dev/null; } \
	|| { echo "Type this first: sudo apt-get install --no-install-recommends $$packages" >&2; exit 1; }
	@$(BIN)/python -m tests.plugins.cards.draw_decks
	@touch $@

# Every sentence that wants translating, into the catalogue of each language; what they say of it already is kept.
words: .venv/.dev
	@exec $(BIN)/python -m tests.i18n.extraction

solids: .venv/.dev
	@command -v openscad >/dev/null || { echo "Type this first: sudo apt-get install openscad" >&2; exit 1; }
	@cd hardware/solids && for each in peg jig wood frame foot spacer pico; do \
	openscad -q --export-format binstl -o $$each.stl $$each.scad || exit 1; done
	@$(BIN)/python -m hardware.solids.make

keep: .venv/.dev
	@$(BIN)/python -m tests.perception.keep "$(RECORDING)" "$(NAME)" $(if $(TO),--to $(TO))

check: .venv/.dev
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports

# The page's modules: their types, against those of the API, and the tests of what is pure in them.
page: .venv/.dev tests/node_modules/.done
	@if [ -x tests/node_modules/.bin/tsc ]; then \
	$(BIN)/python -m tests.web.write_fixtures && cd tests && node_modules/.bin/tsc -p web && node --test --test-reporter=spec web/*.test.mjs; \
	else echo "The page's modules are not checked: node and typescript could not be had." >&2; [ "$$CI" != true ]; fi

# The circuit boards that are kept, drawn anew, or ARGS=NAME: docs/reference/pcb.md. KEEP=1 keeps the tracks they have. pcbnew is of the system's Python.
hardware: BOARDS := $(or $(ARGS),loop straight end half quarter)
hardware: .venv/.dev
	@/usr/bin/python3 -c 'import pcbnew' 2>/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq \
	&& apt-get install -y -qq --no-install-recommends kicad kicad-footprints kicad-symbols; } \
	|| { echo "Type this first: sudo apt-get install --no-install-recommends kicad kicad-footprints kicad-symbols" >&2; exit 1; }
	$(PIP) --require-hashes -r requirements/base.txt -r requirements/dev.txt -r requirements/hardware.txt
	rm -rf build/pcb/given
	$(BIN)/python -m hardware.pcb.given build/pcb/given
	/usr/bin/python3 -m hardware.pcb.make $(BOARDS:%=build/pcb/given/%.json) $(if $(KEEP),--keep-tracks)
	$(BIN)/python -m hardware.pcb.schematic $(BOARDS:%=hardware/pcb/boards/%)
	$(BIN)/python -W ignore -m hardware.pcb.picture $(BOARDS:%=hardware/pcb/boards/%)

# The files of a release, in dist/release; nothing is uploaded.
release: .venv/.dev
	@rm -rf dist/release
	@exec $(BIN)/python -m tests.release.build dist/release

# A site of files, in dist/site: the simulated board in a browser, and these documents.
site: .venv/.dev tests/node_modules/.done
	@exec $(BIN)/python -m docs.site.build dist/site

# Installs what the tests need from the system where that is allowed, else prints the line to type.
# Without it the tests that need it are skipped with a reason; in CI (CI=true) that is a failure.
system:
	@PATH="$$PATH:/usr/sbin"; missing="$$(for each in $(SYSTEM); do \
	[ -e "$${each#*=}" ] || command -v "$${each#*=}" >/dev/null || echo "$${each%%=*}"; done | xargs)"; \
	export DEBIAN_FRONTEND=noninteractive; install="apt-get install -y -qq --no-install-recommends $$missing"; \
	if [ -z "$$missing" ]; then exit; \
	elif [ "$$(id -u)" = 0 ]; then apt-get update -qq && $$install >/dev/null; \
	elif sudo -n true 2>/dev/null; then sudo apt-get update -qq && sudo $$install >/dev/null; \
	else false; fi || { echo "To run every test, type: sudo apt-get install --no-install-recommends $$missing" >&2; [ "$$CI" != true ]; }

# The libraries of a real Pi, for the tests that show that none of them ends the program. Two or three are built here:
# PYPI=1 lets lgpio build from its own sources where it has no wheel.
pi-libraries: .venv/.pi-libraries

.venv/.pi-libraries: .venv/.dev requirements/pi-libraries.txt | system
	@if PYPI=1 $(PIP) --require-hashes --no-build-isolation --use-pep517 -r requirements/pi-libraries.txt; then touch $@; \
	else echo "The tests with the libraries of a real Pi are skipped: they need gcc, libc6-dev, python3-dev and swig." >&2; \
	[ "$$CI" != true ]; fi

tests/node_modules/.done: tests/package.json | system
	@if command -v npm >/dev/null && npm install --silent --no-package-lock --no-audit --no-fund --prefix tests; then \
	touch $@; else echo "The tests that need packages of npm are skipped: npm or one of them is missing." >&2; [ "$$CI" != true ]; fi

# Writes requirements/ from pyproject.toml: each package with the hashes of all its files, for every machine and Python.
# What is pinned stays where it can; `make requirements ARGS=--upgrade` takes the newest versions.
LOCK := build/uv/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make requirements"
NOT_BASE = $$(sed -n 's/^\([a-z0-9-]*\)==.*/--no-emit-package \1/p' requirements/base.txt)
requirements:
	@mkdir -p build requirements && $(PYTHON) -m venv build/uv && build/uv/bin/pip install -q --disable-pip-version-check uv
	@cat requirements/*.txt >build/all.txt
	$(LOCK) pyproject.toml --all-extras --group build --group pi-libraries $(ARGS) -o build/all.txt
	$(LOCK) pyproject.toml --group build --upgrade -c build/all.txt -o requirements/base.txt
	for each in camera club dev drawings flash hardware keyboard mqtt pi pi5 wifi; do $(LOCK) pyproject.toml --extra $$each --upgrade -c build/all.txt $(NOT_BASE) \
	-o requirements/$$each.txt || exit 1; done
	$(LOCK) --group pi-libraries --upgrade -c build/all.txt -o requirements/pi-libraries.txt
