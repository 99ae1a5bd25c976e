"""The documented command on a minimal Debian: from nothing to a page.

Everything is real except systemctl, which does not run in a chroot: a script of that name starts the unit's command as
its user. It takes some minutes and needs root and a network.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import closing, suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/how-to/run-as-a-service.md"
SYSTEMCTL = """\
#!/bin/sh
case "$1" in
restart|disable)
    test -f /run/companion.pid && kill "$(cat /run/companion.pid)" && sleep 2
    rm -f /run/companion.pid
    test "$1" = disable && exit
    unit=/etc/systemd/system/companion.service
    install -d -m 700 -o "$(sed -n 's/^User=//p' $unit)" /var/lib/companion
    command="$(sed -n 's/^ExecStart=//p' $unit)"
    HOME=/var/lib/companion setpriv --reuid companion --clear-groups sh -c "exec $command" >/var/log/companion 2>&1 &
    echo $! >/run/companion.pid ;;
show) echo ActiveState=active ;;
esac
"""


def can_make_tree():
    return os.geteuid() == 0 and shutil.which("debootstrap") and shutil.which("chroot")


@pytest.fixture(scope="module")
def debian(tmp_path_factory):
    """A Debian tree made by debootstrap, with a copy of this checkout."""
    tree = Path(os.environ.get("DEBIAN_TREE") or tmp_path_factory.mktemp("debian") / "tree")
    if not tree.exists():
        make = ["debootstrap", "--variant=minbase", "--include=ca-certificates", "trixie", str(tree)]
        subprocess.run(make, check=True, capture_output=True, timeout=1200)
    (tree / "usr/local/sbin/systemctl").write_text(SYSTEMCTL)
    (tree / "usr/local/sbin/systemctl").chmod(0o755)
    for name in ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt"):
        if Path(name).exists():
            (tree / name[1:]).write_bytes(Path(name).read_bytes())
    tracked = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in tracked.stdout.decode().splitlines():
        to = tree / "root/cribbage" / name
        if (ROOT / name).is_file():
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes((ROOT / name).read_bytes())
    subprocess.run(["mount", "-t", "proc", "proc", tree / "proc"], check=True)
    try:
        yield tree
    finally:
        with suppress(OSError, ValueError):
            os.kill(int((tree / "run/companion.pid").read_text()), signal.SIGTERM)
        time.sleep(1)
        subprocess.run(["umount", tree / "proc"], check=True)


def run_inside(tree, command):
    """Run a command in the tree, as root in the checkout. Return its output."""
    sudo = 'sudo() { "$@"; }; '
    shell = ["chroot", str(tree), "bash", "-c", f"set -e; cd /root/cribbage; {sudo}{command}"]
    kept = {key: value for key, value in os.environ.items() if key.lower().endswith("_proxy")}
    env = kept | {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LC_ALL": "C",
    }
    done = subprocess.run(shell, capture_output=True, text=True, check=False, timeout=1200, env=env)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.long
@pytest.mark.skipif(not can_make_tree(), reason="root and debootstrap are needed to make a clean Debian tree")
def test_the_documented_line_leads_to_a_page(debian):
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    settings = debian / "etc/companion/companion.toml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(f'host = "127.0.0.1"\nport = {port}\n')
    line = re.search(r"^sudo apt-get update .*$", PAGE.read_text("utf-8"), re.MULTILINE)[0]
    line = line.replace(" python3-lgpio", "")  # Raspberry Pi OS has it, Debian has not
    wanted = [step.strip() for step in line.split("&&") if not step.strip().startswith(("git clone", "cd "))]
    run_inside(debian, " && ".join(wanted))
    assert health(port)["journal"]["ok"] is True
    assert "players   http://127.0.0.1" in (debian / "var/log/companion").read_text()
    assert json.loads(run_inside(debian, "companion doctor --json --set port=0 || true"))["checks"]

    run_inside(debian, "companion service update")
    assert health(port)["journal"]["ok"] is True
    assert "version   v2" in run_inside(debian, "companion service status")
    run_inside(debian, "companion service rollback")
    assert "version   v1" in run_inside(debian, "companion service status")
    assert (debian / "var/lib/companion/journal.sqlite3").stat().st_uid != 0
    run_inside(debian, "companion service remove")
    assert (debian / "var/lib/companion/journal.sqlite3").exists()
    assert not (debian / "opt/companion").exists()


def health(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=10) as told:
        return json.load(told)
