"""The pages on running a club and a league, walked command by command with the real programs.

In `make test` the commands run in a temporary home: absolute paths lead below a folder, and `sudo`, `apt-get`,
`systemctl`, `journalctl` and the change of owners are stand-ins. The long test runs the same commands as they are on a
clean Debian, with a stand-in for systemctl and journalctl alone.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.club.conftest import BIN
from tests.install.test_debian import can_make_tree
from tests.support.brokers import MOSQUITTO, free_port
from tests.support.nats_nodes import NATS
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[2]
HOW_TO = ROOT / "docs/how-to"
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


def blocks(page, heading):
    """Return the commands below a heading of a page."""
    text = (HOW_TO / page).read_text("utf-8")
    part = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]
    found = re.findall(r"^```sh\n(.*?)^```", part, re.MULTILINE | re.DOTALL)
    assert found, f"{page} has no commands below {heading}"
    return found


class Home:
    """A home in which the commands of a page run, below a folder that stands for the root of the machine."""

    def __init__(self, folder, **env):
        self.folder, self.env = folder, env
        self.ports = {"1883": free_port(), "8883": free_port(), "8124": free_port()}
        for name in (
            "bin",
            "log",
            "etc/mosquitto/conf.d",
            "etc/companion",
            "etc/systemd/system",
            "var/lib",
            "checkout",
        ):
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
        path = f"{self.folder}/bin:{BIN}:/usr/sbin:/usr/bin:/sbin:/bin"
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
        with urllib.request.urlopen(f"http://127.0.0.1:{self.ports['8124']}/api/club/{path}", timeout=10) as answer:
            return json.load(answer)

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
    host, board = blocks("run-a-club.md", "On the host's Pi"), blocks("run-a-club.md", "On each board")
    printed = home.run("\n".join(host))
    assert re.search(r"room +http://.*\norganiser +http://.*/join/", printed)
    assert home.packages() <= PACKAGES
    shutil.copy(home.folder / "etc/mosquitto/certs/club.crt", home.folder / "checkout")  # as the page says in words
    home.run("\n".join(board))
    wait_until(lambda: [each["board"] for each in home.get("tables")["tables"] if each["online"]] == ["table-1"])
    copy, restore = blocks("run-a-club.md", "Back up")
    assert "club-backup.sqlite3" in home.run(copy)
    home.run(restore)
    wait_until(lambda: "organiser" in (home.folder / "log/companion-club").read_text())
    wait_until(lambda: [each["board"] for each in home.get("tables")["tables"]] == ["table-1"])
    for name in ("archive", "table-1"):  # no one else may read a password
        assert (home.folder / f"checkout/{name}.password").stat().st_mode & 0o077 == 0
        assert (home.folder / f"etc/companion/{name}.password").stat().st_mode & 0o007 == 0
    assert home.get("health")["refused"] == []


@pytest.mark.skipif(not NATS, reason="nats-server is not installed")
def test_a_league_is_set_up_as_the_page_says(postgres, tmp_path):
    port = re.search(r":(\d+)/", postgres)[1]
    database = {"PGHOST": "127.0.0.1", "PGPORT": port, "PGUSER": "club", "PGDATABASE": "postgres"}
    with contextlib.closing(Home(tmp_path / "home", **database)) as home:
        home.run("\n".join(blocks("run-a-league.md", "Three nodes")))
        assert "is valid" in (home.folder / "log/nats-server").read_text()
        users = (home.folder / "etc/nats/users.conf").read_text()
        assert "REPLACE" not in users
        printed = home.run("\n".join(blocks("run-a-league.md", "The archive")))
        assert re.search(r"room +http://.*\norganiser +http://.*/join/", printed)
        assert home.packages() <= PACKAGES
        assert home.get("health") == {"boards": 0, "behind": 0, "refused": []}


SYSTEMCTL = """\
#!/bin/bash
# Starts the command of a unit as its user. systemd does not run in a chroot.
[ "$1" = enable ] && shift 2 && set -- restart "$@"
name="$2"
case "$1" in
restart|stop|start|disable|try-restart)
    [ "$1" = try-restart ] && [ ! -e "/run/$name.pid" ] && exit
    if [ "$1" != start ] && [ -e "/run/$name.pid" ]; then kill "$(cat /run/$name.pid)"; sleep 3; rm /run/$name.pid; fi
    if [ "$1" = stop ] || [ "$1" = disable ]; then exit; fi
    unit="$(ls /etc/systemd/system/$name.service /lib/systemd/system/$name.service 2>/dev/null | head -n 1)"
    cat "$unit" "/etc/systemd/system/$name.service.d/"*.conf >/tmp/unit 2>/dev/null
    user="$(sed -n 's/^User=//p' /tmp/unit | tail -n 1)"
    state="$(sed -n 's/^StateDirectory=//p' /tmp/unit)"
    [ -z "$state" ] || install -d -m 700 -o "$user" "/var/lib/$state"
    [ "$name" != mosquitto ] || install -d -o mosquitto /run/mosquitto /var/log/mosquitto
    command="$(sed -n 's/^ExecStart=//p' /tmp/unit | tail -n 1)"
    HOME="/var/lib/$state" setsid setpriv --reuid "${user:-root}" --regid "$(id -g "${user:-root}")" --clear-groups \\
        sh -c "exec $command" >"/var/log/$name.log" 2>&1 </dev/null &
    echo $! >"/run/$name.pid" ;;
show) echo ActiveState=active ;;
esac
"""
JOURNALCTL = """\
#!/bin/bash
until grep -qE "organiser|companion: " "/var/log/$2.log"; do sleep 0.2; done; cat "/var/log/$2.log"
"""


@pytest.fixture(params=["bookworm", "trixie"])
def debian(request, tmp_path):
    """A clean Debian with a copy of this checkout."""
    tree = tmp_path / "tree"
    include = "--include=ca-certificates,python3-venv,python3-click"
    subprocess.run(["debootstrap", "--variant=minbase", include, request.param, tree], check=True, capture_output=True)
    for name, script in (("systemctl", SYSTEMCTL), ("journalctl", JOURNALCTL), ("sudo", STAND_INS["sudo"])):
        path = tree / "usr/local/sbin" / name
        path.write_text(script if script.startswith("#!") else f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)
    (tree / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
    (tree / "usr/sbin/policy-rc.d").chmod(0o755)
    for name in ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt"):
        if Path(name).exists():
            (tree / name[1:]).write_bytes(Path(name).read_bytes())
    (tree / "etc/apt/apt.conf.d/50host").write_bytes(subprocess.check_output(["apt-config", "dump", "Acquire"]))
    clone = ["git", "clone", "-q", f"file://{ROOT}", tree / "root/cribbage"]
    subprocess.run(clone, check=True)
    subprocess.run(["mount", "-t", "proc", "proc", tree / "proc"], check=True)
    try:
        yield tree
    finally:
        for file in tree.glob("run/*.pid"):
            with contextlib.suppress(OSError, ValueError):
                os.killpg(int(file.read_text()), signal.SIGKILL)
        time.sleep(1)
        subprocess.run(["umount", tree / "proc"], check=True)


@pytest.mark.long
@pytest.mark.skipif(not can_make_tree(), reason="root and debootstrap are needed to make a clean Debian")
def test_a_club_runs_on_a_clean_debian_as_the_page_says(debian):
    def run(commands):
        kept = {key: value for key, value in os.environ.items() if key.lower().endswith("_proxy")}
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        env = {"PATH": path, "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **kept}
        script = f"set -euo pipefail; cd /root/cribbage\n{commands.replace('host=host.local', 'host=localhost')}"
        done = subprocess.run(
            ["chroot", debian, "bash", "-c", script], capture_output=True, text=True, check=False, env=env
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
        return done.stdout

    def tables():
        with urllib.request.urlopen("http://127.0.0.1:8124/api/club/tables", timeout=10) as answer:
            return [each["board"] for each in json.load(answer)["tables"] if each["online"]]

    host, board = blocks("run-a-club.md", "On the host's Pi"), blocks("run-a-club.md", "On each board")
    run("apt-get update")
    assert re.search(r"room +http://.*\norganiser +http://.*/join/", run("\n".join(host)))
    # the host is its own board here, so its service keeps the extra of the club
    run("cp /etc/mosquitto/certs/club.crt .\n" + "\n".join(board).replace("--extras mqtt", "--extras club"))
    wait_until(lambda: tables() == ["table-1"])
    copy, restore = blocks("run-a-club.md", "Back up")
    assert "club-backup.sqlite3" in run(copy)
    run(restore)
    wait_until(lambda: Path(debian, "var/log/companion-club.log").read_text().count("organiser") == 1)
