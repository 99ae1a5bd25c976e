"""`make pi`: a board's life on a clean Debian 12 and 13. `python -m tests.pi.run [RELEASE…] [--seed N]`, as root.

What boots often runs in namespaces, where a boot takes 2 s; what needs drivers of its own, a clock or a boot loader's
words runs beside it in a virtual machine, where a boot takes a minute.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path
from random import Random

from .card import set_up_card, set_up_card_without_internet
from .debian_tree import BUILD, RELEASES, find_missing_tools, make_tree
from .machine import Machine, make_disk
from .phone import Phone
from .plugs import PLUG_RELEASE
from .scenarios import SCENARIOS, Story, save_log
from .virtual_machine import find_missing_emulator, make_image

CARD_SCENARIOS = (set_up_card, set_up_card_without_internet)
CARD_RELEASES = ("trixie",)
"""Raspberry Pi OS has cloud-init since it is based on this release."""

NOT_TRIED = "a Pi's own pins. Of a card: growth of the partition, the label of a volume."


def main() -> None:
    """Run all steps on each release; the exit code is 1 if one has failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "releases", nargs="*", default=list(RELEASES), metavar="RELEASE", help=f"{', '.join(RELEASES)} (both)"
    )
    parser.add_argument("--seed", type=int, default=25, help="decides what each power cut leaves (25)")
    parser.add_argument("--only", metavar="REGEX", default="", help="only steps whose names match, such as card")
    parser.add_argument("--cuts", type=int, default=20, help="power cuts of a recorded update (20)")
    arguments = parser.parse_args()
    if missing := find_missing_tools():
        print(f"SKIPPED: make pi runs systemd on a disk of its own, for which this machine lacks {', '.join(missing)}.")
        sys.exit(os.environ.get("CI") == "true")
    if "PI_NAMESPACE" not in os.environ:  # nothing that is mounted outlives this process
        words = ["unshare", "--mount", "--propagation", "private", sys.executable, "-m", "tests.pi.run", *sys.argv[1:]]
        os.execvpe(words[0], words, os.environ | {"PI_NAMESPACE": "1"})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and clean up
    print(f"NOT TRIED: {NOT_TRIED}", flush=True)
    has_plugs, missing = PLUG_RELEASE in arguments.releases, find_missing_emulator()
    if has_plugs and missing:
        print(f"SKIPPED: plugs on Debian's own kernel, for which this machine lacks {', '.join(missing)}.")
        if os.environ.get("CI") == "true":
            sys.exit(1)
    elif has_plugs:
        make_image(PLUG_RELEASE)
        words = ("setpriv", "--pdeathsig", "TERM", sys.executable, "-m", "tests.pi.plugs")
        options = ("--seed", str(arguments.seed), "--only", arguments.only)
        plugs = subprocess.Popen([*words, *options])  # beside the rest: the emulator keeps one core busy
    outcomes = [run_release(release, arguments.seed, arguments.cuts, arguments.only) for release in arguments.releases]
    if has_plugs and not missing:
        outcomes.append(plugs.wait() == 0)
    sys.exit(not all(outcomes))


def run_release(release: str, seed: int, cuts: int, only: str = "") -> bool:
    """Run all steps on one release. Print a line for each; stop at the first that fails."""
    begin = time.monotonic()
    print(f"{RELEASES[release]}, seed {seed}", flush=True)
    tree = make_tree(release)
    print(f"    system made or found   {time.monotonic() - begin:.0f} s", flush=True)
    folder = BUILD / f"{release}-run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    phone = Phone()
    machine = Machine(tree, folder, make_disk(folder / "disk.img"))
    story = Story(machine, phone, Random(seed), cuts)
    try:
        if release not in CARD_RELEASES:
            print(f"SKIPPED: cards that set themselves up, which {RELEASES[release]} is not tried with", flush=True)
        scenarios = (*SCENARIOS, *(CARD_SCENARIOS if release in CARD_RELEASES else ()))
        for scenario in (each for each in scenarios if re.search(only, each.__name__)):
            if not _run_scenario(scenario, story, folder):
                return False
    finally:
        phone.close()
        machine.close()
        (folder / "disk.img").unlink()
    print(f"{RELEASES[release]}: passed in {time.monotonic() - begin:.0f} s", flush=True)
    return True


def _run_scenario(scenario, story: Story, folder: Path) -> bool:  # type: ignore[no-untyped-def]
    begin = time.monotonic()
    name = scenario.__name__.replace("_", " ")
    try:
        found = scenario(story)
    except Exception:
        print(f"NO  {name}\n{traceback.format_exc()}", flush=True)
        save_log(story.machine, folder / "journal.log")
        return False
    print(f"ok  {name:<22} {time.monotonic() - begin:4.0f} s   {found}", flush=True)
    return True


if __name__ == "__main__":
    main()
