"""The pages on running a club and a league, walked command by command on clean Debian systems.

Everything is real except `systemctl` and `journalctl`, because systemd does not run in a chroot: scripts start the
commands of the units as their users. Each node of the league runs in a network of its own; the archive uses that of
this machine, because it installs packages.
It takes root, debootstrap, a network and some minutes.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from tests.plugins.service.test_debian import can_make_tree
from tests.support.guide_pages import HOW_TO, read_commands
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not can_make_tree(), reason="root and debootstrap are needed to make a clean Debian"),
]
ROOT = Path(__file__).parents[3]
SCRIPTS = {
    "sudo": """\
#!/bin/bash
[ "$1" = -u ] || exec "$@"
exec runuser -u "$2" -- "${@:3}"
""",
    "systemctl": """\
#!/bin/bash
# Starts the command of a unit as its user, in the network of the machine if it has one.
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
    [ -e /run/network ] && network="nsenter --net=/run/network"
    HOME="/var/lib/$state" setsid $network setpriv --reuid "${user:-root}" --regid "$(id -g "${user:-root}")" \\
        --clear-groups sh -c "exec $command" >"/var/log/$name.log" 2>&1 </dev/null &
    echo $! >"/run/$name.pid" ;;
reload)
    reload="$(sed -n 's/^ExecReload=//p' "/lib/systemd/system/$name.service")"
    MAINPID="$(cat /run/$name.pid)" sh -c "$reload" ;;
show) echo ActiveState=active ;;
esac
""",
    "journalctl": """\
#!/bin/bash
until grep -qE "organiser|companion: " "/var/log/$2.log"; do sleep 0.2; done; cat "/var/log/$2.log"
""",
}
NODES = {"a": "10.211.0.1", "b": "10.211.0.2", "c": "10.211.0.3"}
HUB, HUB_DEVICE, ARCHIVE_ADDRESS = "cribbage-hub", "cribbage-hub0", "10.211.0.4"


class Machine:
    """A clean Debian in a folder, with a clone of this checkout."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree

    def install(self, release: str) -> None:
        include = "--include=ca-certificates,procps,python3-venv,python3-click"
        command = ["debootstrap", "--variant=minbase", include, release, self.tree]
        subprocess.run(command, check=True, capture_output=True)
        for name, script in SCRIPTS.items():
            path = self.tree / "usr/local/sbin" / name
            path.write_text(script)
            path.chmod(0o755)
        (self.tree / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (self.tree / "usr/sbin/policy-rc.d").chmod(0o755)
        for name in ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt"):
            if Path(name).exists():
                (self.tree / name[1:]).write_bytes(Path(name).read_bytes())
        (self.tree / "etc/apt/apt.conf.d/50host").write_bytes(
            subprocess.check_output(["apt-config", "dump", "Acquire"])
        )
        subprocess.run(["git", "clone", "-q", f"file://{ROOT}", self.checkout], check=True)

    @property
    def checkout(self) -> Path:
        return self.tree / "root/cribbage"

    @contextlib.contextmanager
    def start(self):
        """Mount what the programs of the machine need; at the end kill them all."""
        subprocess.run(["mount", "-t", "proc", "proc", self.tree / "proc"], check=True)
        try:
            yield self
        finally:
            for file in self.tree.glob("run/*.pid"):
                with contextlib.suppress(OSError, ValueError):
                    os.killpg(int(file.read_text()), signal.SIGKILL)
            time.sleep(1)
            subprocess.run(["umount", self.tree / "proc"], check=True)

    def run(self, commands: str) -> str:
        """Run commands as one script that ends with the first that fails; return what they print."""
        kept = {key: value for key, value in os.environ.items() if key.lower().endswith("_proxy")}
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        env = {"PATH": path, "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **kept}
        script = f"set -euo pipefail; cd /root/cribbage\n{commands}"
        done = subprocess.run(
            ["chroot", self.tree, "bash", "-c", script], capture_output=True, text=True, check=False, env=env
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
        return done.stdout

    def copy_file(self, path: str, to: "Machine") -> None:
        """Copy a file into the checkout of another machine, as the pages say in words."""
        shutil.copy(self.tree / path, to.checkout)


@pytest.fixture(params=["bookworm", "trixie"])
def debian(request, tmp_path):
    """A clean Debian that is not running yet."""
    machine = Machine(tmp_path / "tree")
    machine.install(request.param)
    return machine


@pytest.fixture
def networks():
    """A network of its own for each node. A bridge connects them with each other and with this machine."""
    names = (HUB, *(f"cribbage-{name}" for name in NODES))
    try:
        run_ip("netns", "add", HUB)
        run_ip("-n", HUB, "link", "add", "bridge", "type", "bridge")
        run_ip("-n", HUB, "link", "set", "bridge", "up")
        for name, address in NODES.items():
            own, port = f"cribbage-{name}", f"port-{name}"
            run_ip("netns", "add", own)
            run_ip("-n", own, "link", "add", "eth0", "type", "veth", "peer", "name", port, "netns", HUB)
            run_ip("-n", own, "address", "add", f"{address}/24", "dev", "eth0")
            for device in ("eth0", "lo"):
                run_ip("-n", own, "link", "set", device, "up")
            run_ip("-n", HUB, "link", "set", port, "master", "bridge", "up")
        run_ip("link", "add", HUB_DEVICE, "type", "veth", "peer", "name", "port-archive", "netns", HUB)
        run_ip("address", "add", f"{ARCHIVE_ADDRESS}/24", "dev", HUB_DEVICE)
        run_ip("link", "set", HUB_DEVICE, "up")
        run_ip("-n", HUB, "link", "set", "port-archive", "master", "bridge", "up")
        yield
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


def run_ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextlib.contextmanager
def start_node(tree: Path, name: str):
    """Start a machine whose programs run in the network of a node."""
    (tree / "run/network").touch()
    subprocess.run(["mount", "--bind", f"/run/netns/cribbage-{name}", tree / "run/network"], check=True)
    try:
        with Machine(tree).start() as machine:
            yield machine
    finally:
        subprocess.run(["umount", tree / "run/network"], check=True)


def read_tables() -> list[str]:
    """Return the boards that the archive of this machine sees online; none while it does not answer."""
    try:
        with urllib.request.urlopen("http://127.0.0.1:8124/api/club/tables", timeout=10) as answer:
            return [table["board"] for table in json.load(answer)["tables"] if table["online"]]
    except OSError:
        return []


def test_a_club_follows_its_page_on_debian(debian):
    host, board = read_commands("run-a-club.md", "On the host's Pi"), read_commands("run-a-club.md", "On each board")
    with debian.start():
        debian.run("apt-get update")
        printed = debian.run("\n".join(host).replace("host=host.local", "host=localhost"))
        assert re.search(r"room +http://.*\norganiser +http://.*/join/", printed)
        debian.copy_file("etc/mosquitto/certs/club.crt", debian)
        debian.run("\n".join(board).replace("host=host.local", "host=localhost"))  # the host is its own board here
        wait_until(lambda: read_tables() == ["table-1"])
        copy, restore = read_commands("run-a-club.md", "Back up")
        assert "club-backup.sqlite3" in debian.run(copy)
        debian.run(restore)
        wait_until(lambda: (debian.tree / "var/log/companion-club.log").read_text().count("organiser") == 1)


def test_a_league_follows_its_page_on_debian(debian, networks, tmp_path):
    with debian.start():
        debian.run("apt-get update")
    with (debian.tree / "etc/hosts").open("a") as hosts:
        hosts.writelines(f"{address} {node}.league.example\n" for node, address in NODES.items())
    for name in (*NODES, "archive"):
        subprocess.run(["cp", "-a", debian.tree, tmp_path / name], check=True)
    secrets, install = read_commands("run-a-league.md", "Three nodes")
    packages, archive = "\n".join(read_commands("run-a-league.md", "The archive")).split("\n", 1)
    with contextlib.ExitStack() as started:
        nodes = {name: started.enter_context(start_node(tmp_path / name, name)) for name in NODES}
        nodes["a"].run(secrets)
        for name, node in nodes.items():
            for file in ("users.conf", "league.key", "league.crt") if name != "a" else ():
                nodes["a"].copy_file(f"root/cribbage/{file}", node)
            node.run(install.replace("node=a", f"node={name}"))
        at = started.enter_context(Machine(tmp_path / "archive").start())
        for file in ("archive.password", "table-3.password", "league.crt"):
            nodes["a"].copy_file(f"root/cribbage/{file}", at)
        at.run(packages)
        control = "pg_ctlcluster $(pg_lsclusters --no-header | awk '{ print $1, $2 }')"
        at.run(f"{control} start")  # Debian starts it when it is installed
        started.callback(at.run, f"{control} stop -m immediate")
        assert re.search(r"room +http://.*\norganiser +http://.*/join/", at.run(archive))
        board = "\n".join(read_commands("run-a-league.md", "On each board"))
        at.run(board)  # this machine is a board too
        wait_until(lambda: read_tables() == ["table-3"])
        (reload,) = re.findall(r"`(sudo systemctl reload [^`]+)`", (HOW_TO / "run-a-league.md").read_text("utf-8"))
        nodes["c"].run(reload)
        wait_until(lambda: "Reloaded server configuration" in (nodes["c"].tree / "var/log/nats-server.log").read_text())
        os.killpg(int((nodes["b"].tree / "run/nats-server.pid").read_text()), signal.SIGKILL)
        at.run("systemctl restart companion-club && journalctl --unit companion-club")
        wait_until(lambda: read_tables() == ["table-3"])
