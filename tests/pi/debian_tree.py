"""A Debian with systemd and with the packages of the companion as files, made once and kept in `build/pi/`."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
BUILD = CHECKOUT / "build/pi"
RELEASES = {"bookworm": "Debian 12", "trixie": "Debian 13"}
PACKAGES = (
    "ca-certificates", "dbus", "faketime", "git", "iproute2", "procps", "python3-click", "python3-venv", "systemd",
    "systemd-sysv", "udev",
)  # fmt: skip
"""What Raspberry Pi OS has, what the documented command installs, and `faketime`, a clock for one program."""

WHEELS = "/root/wheels"
"""Folder of the tree with all pinned packages, because the machine of the test has no way to a package index."""

DOWNLOAD = f"""\
python3 -m venv /tmp/download
/tmp/download/bin/pip --disable-pip-version-check download -q --require-hashes -r /root/base.txt -d {WHEELS}
rm -r /tmp/download
"""
OFFLINE = f"[global]\nno-index = true\nfind-links = {WHEELS}\n"


def find_missing_tools() -> list[str]:
    """Return what this machine lacks for the test, empty if it has everything."""
    wanted = ("debootstrap", "chroot", "mkfs.ext4", "nbdfuse", "fusermount3", "unshare", "nsenter", "setpriv", "ip")
    missing = [name for name in wanted if not shutil.which(name)]
    missing += [name for name in ("/dev/fuse", "/dev/loop-control") if not Path(name).exists()]
    if " cgroup2 " not in Path("/proc/mounts").read_text():
        missing.append("control groups of version 2")
    if os.geteuid():
        return ["root", *missing]
    namespaces = ("unshare", "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup", "--fork", "true")
    if "unshare" not in missing and subprocess.run(namespaces, capture_output=True, check=False).returncode:
        missing.append("a kernel that allows namespaces")
    return missing


def make_tree(release: str) -> Path:
    """Return the folder of a clean system of this release, which must not be changed. Needs root and the registries."""
    pins = CHECKOUT / "requirements/base.txt"
    state = hashlib.sha256(f"{PACKAGES} {DOWNLOAD}".encode() + pins.read_bytes()).hexdigest()
    tree, kept = BUILD / release, BUILD / f"{release}.state"
    if tree.exists() and kept.exists() and kept.read_text() == state:
        return tree
    kept.unlink(missing_ok=True)
    shutil.rmtree(tree, ignore_errors=True)
    BUILD.mkdir(parents=True, exist_ok=True)
    command = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", release, str(tree), *_mirror()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    _download_wheels(tree, pins)
    (tree / "etc/pip.conf").write_text(OFFLINE)
    (tree / "etc/machine-id").write_text("")
    shutil.rmtree(tree / "var/cache/apt")
    kept.write_text(state)
    return tree


def _mirror() -> list[str]:
    words = (
        "apt-get",
        "indextargets",
        "Created-By: Packages",
        "Origin: Debian",
        "Label: Debian",
        "--format",
        "$(REPO_URI)",
    )
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()[:1]


def _download_wheels(tree: Path, pins: Path) -> None:
    """Download all pinned packages with the settings that pip has on this machine."""
    lent = [Path("/etc/resolv.conf"), Path("/etc/pip.conf"), Path("/etc/ssl/certs/ca-certificates.crt")]
    for path in lent:
        if path.exists():
            (tree / path.relative_to("/")).write_bytes(path.read_bytes())
    (tree / "root/base.txt").write_bytes(pins.read_bytes())
    (tree / WHEELS[1:]).mkdir()
    with (BUILD / f"{tree.name}.log").open("wb") as log:
        subprocess.run(["chroot", tree, "bash", "-ec", DOWNLOAD], check=True, stdout=log, stderr=log)
