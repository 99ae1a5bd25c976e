"""The pages on running a club and a league, walked command by command with the real programs.

In `make test` the commands run in a temporary home: absolute paths lead below a folder, and `sudo`, `apt-get`,
`systemctl`, `journalctl` and the change of owners are stand-ins. The commands run as they are in
test_guides_on_debian.py.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.support.brokers import MOSQUITTO, POSTGRES_BIN, free_port
from tests.support.guide_pages import HOW_TO, read_commands
from tests.support.nats_nodes import NATS
from tests.support.waiting import PATIENCE_S, wait_until

ROOT = Path(__file__).parents[3]
PACKAGES = {"mosquitto", "openssl", "nats-server", "postgresql"}
"""Debian packages that the pages install; their programs are those that the test runs."""

STAND_INS = {
    "sudo": 'while [ "$1" = -u ]; do shift 2; done; exec "$@"',
    "apt-get": 'shift; for each; do case "$each" in -*) ;; *) echo "$each" >>"$HOME/packages";; esac; done',
    "chown": 'shift; for each; do [ -e "$each" ] || exit 1; done',
    "install": """words=(); while [ $# -gt 0 ]; do case "$1" in -o|-g) shift;; *) words+=("$1");; esac; shift; done
exec /usr/bin/install "${words[@]}\"""",
    "python3": f'exec {sys.executable} -m tests.support.stand_in_system "$HOME" install "$@"',
    "systemctl": f'exec {sys.executable} -m tests.support.stand_in_system "$HOME" "$@"',
    "journalctl": 'until grep -qE "organiser|companion: " "$HOME/log/$2"; do sleep 0.2; done; cat "$HOME/log/$2"',
    "companion": f'exec {sys.executable} -m companion "$@"',
}


class Home:
    """A home in which the commands of a page run, below a folder that stands for the root of the machine."""

    def __init__(self, folder, **env):
        self.folder, self.env = folder, env
        self.ports = {"1883": free_port(), "8883": free_port(), "8124": free_port()}
        folders = "bin log etc/mosquitto/conf.d etc/companion etc/systemd/system var/lib checkout"
        for name in folders.split():
            (folder / name).mkdir(parents=True)
        for name, script in STAND_INS.items():
            (folder / "bin" / name).write_text(f"#!/bin/bash\n{script}\n")
            (folder / "bin" / name).chmod(0o755)
        for name in ("club", "league"):
            shutil.copytree(HOW_TO / name, folder / "checkout/docs/how-to" / name)
        for path in (folder / "checkout").rglob("*.*"):
            path.write_text(self.rewrite(path.read_text())) if path.is_file() else None
        (folder / "etc/companion/companion.toml").write_text('port = 0\nannounce = "off"\n')
        (folder / "etc/mosquitto/mosquitto.conf").write_text(
            f"user root\npersistence false\ninclude_dir {folder}/etc/mosquitto/conf.d\n"
        )
        for name, line in (("passwd", "root:x:0:0::/root:/bin/sh\n"), ("group", "root:x:0:\n")):
            (folder / "etc" / name).write_text(line)

    def rewrite(self, text):
        """Lead paths below the folder, and use free ports of this machine."""
        text = re.sub(r"(?<![\w.])/(etc|var/lib|opt/companion)/", rf"{self.folder}/\1/", text)
        text = re.sub(r"^listener (\d+)", lambda found: f"listener {self.ports[found[1]]}", text, flags=re.MULTILINE)
        text = text.replace('"mqtt://localhost"', f'"mqtt://localhost:{self.ports["1883"]}"')
        text = text.replace('"mqtts://$host"', f'"mqtts://$host:{self.ports["8883"]}"')
        return text.replace("host=host.local", "host=localhost")

    def run(self, commands):
        """Run commands as one script that ends with the first that fails; return what they print."""
        path = f"{self.folder}/bin:{POSTGRES_BIN}:/usr/sbin:/usr/bin:/sbin:/bin"
        env = {"PATH": path, "HOME": str(self.folder), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **self.env}
        env["CLUB_PORT"] = str(self.ports["8124"])
        script = f"set -euo pipefail\n{self.rewrite(commands)}"
        done = subprocess.run(
            ["/bin/bash", "-c", script], cwd=self.folder / "checkout", env=env, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
        return done.stdout

    def get(self, path):
        """Return an answer of the archive, once it has started."""
        url = f"http://127.0.0.1:{self.ports['8124']}/api/club/{path}"

        def ask():
            try:
                with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
                    return [json.load(answer)]
            except OSError:
                return []

        return wait_until(ask)[0]

    def packages(self):
        return set((self.folder / "packages").read_text().split())

    def close(self):
        for file in self.folder.glob("*.pid"):
            with contextlib.suppress(OSError, ValueError):
                os.killpg(int(file.read_text()), signal.SIGKILL)


@pytest.fixture
def home(tmp_path):
    with contextlib.closing(Home(tmp_path / "home")) as made:
        yield made


@pytest.mark.skipif(not MOSQUITTO, reason="mosquitto is not installed")
def test_a_club_runs_as_the_page_says(home):
    host, board = read_commands("run-a-club.md", "On the host's Pi"), read_commands("run-a-club.md", "On each board")
    printed = home.run("\n".join(host))
    assert re.search(r"room +http://.*\norganiser +http://.*/join/", printed)
    assert home.packages() <= PACKAGES
    shutil.copy(home.folder / "etc/mosquitto/certs/club.crt", home.folder / "checkout")  # as the page says in words
    home.run("\n".join(board))
    wait_until(lambda: [each["board"] for each in home.get("tables")["tables"] if each["online"]] == ["table-1"])
    copy, restore = read_commands("run-a-club.md", "Back up")
    assert "club-backup.sqlite3" in home.run(copy)
    home.run(restore)
    wait_until(lambda: "organiser" in (home.folder / "log/companion-club").read_text())
    wait_until(lambda: [each["board"] for each in home.get("tables")["tables"]] == ["table-1"])
    for name in ("archive", "table-1"):  # no one else may read a password
        assert (home.folder / f"checkout/{name}.password").stat().st_mode & 0o077 == 0
        assert (home.folder / f"etc/companion/{name}.password").stat().st_mode & 0o007 == 0
    assert home.get("health")["refused"] == []


@pytest.mark.skipif(not NATS, reason="nats-server is not installed")
def test_a_league_follows_its_page(postgres, tmp_path):
    port = re.search(r":(\d+)/", postgres)[1]
    database = {"PGHOST": "127.0.0.1", "PGPORT": port, "PGUSER": "club", "PGDATABASE": "postgres"}
    with contextlib.closing(Home(tmp_path / "home", **database)) as home:
        home.run("\n".join(read_commands("run-a-league.md", "Three nodes")))
        assert "is valid" in (home.folder / "log/nats-server").read_text()
        users = (home.folder / "etc/nats/users.conf").read_text()
        assert "REPLACE" not in users
        printed = home.run("\n".join(read_commands("run-a-league.md", "The archive")))
        assert re.search(r"room +http://.*\norganiser +http://.*/join/", printed)
        assert home.packages() <= PACKAGES
        assert home.get("health") == {"boards": 0, "behind": 0, "refused": []}
