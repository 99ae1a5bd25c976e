"""A Debian with systemd and with the packages of the companion as files, made once and kept in `build/pi/`."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
BUILD = (CHECKOUT / "build/pi").resolve()  # as the kernel names what is mounted there
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
/tmp/download/bin/pip --disable-pip-version-check download -q --require-hashes -r /root/pins.txt -d {WHEELS}
rm -r /tmp/download
"""
CARD_PACKAGES = ("cloud-init", "netplan.io", "network-manager", "openssh-server", "sudo")
"""What Raspberry Pi OS has besides, for a card that sets itself up."""

CARD_DOWNLOADS = "python3-venv python3-click network-manager dnsmasq-base polkitd"
"""What the script of the card installs, of which the system has as little as possible."""

PREPARE_CARD = f"""\
export DEBIAN_FRONTEND=noninteractive
printf '#!/bin/sh\\nexit 101\\n' >/usr/sbin/policy-rc.d
chmod +x /usr/sbin/policy-rc.d
apt-get update
apt-get install -y --no-install-recommends {" ".join(CARD_PACKAGES)}
apt-get purge -y python3-click python3-venv
mkdir -p /root/packages/debian/partial
mv {WHEELS} /root/packages/wheels
apt-get install -y --download-only -o Dir::Cache::archives=/root/packages/debian/ {CARD_DOWNLOADS}
cd /root/packages/debian
for each in *.deb; do
    dpkg-deb --field $each
    echo "Filename: ./$each"
    echo "Size: $(stat --format=%s $each)"
    echo "SHA256: $(sha256sum $each | cut -d ' ' -f 1)"
    echo
done >Packages
rm -rf /usr/sbin/policy-rc.d /var/lib/apt/lists/* /var/cache/apt /etc/ssh/ssh_host_* /etc/resolv.conf
rm -f /etc/apt/sources.list.d/*
echo 'deb [trusted=yes] http://deb.debian.org/debian ./' >/etc/apt/sources.list
echo raspberrypi >/etc/hostname
mkdir -p /usr/lib/netplan
cat >/etc/pip.conf <<END
[global]
no-index = true
find-links = http://packages.test/wheels/
trusted-host = packages.test
END
cat >/etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg <<END
datasource_list: [NoCloud, None]
datasource: {{NoCloud: {{seedfrom: "file:///boot/firmware"}}}}
END
printf 'network:\\n  version: 2\\n  renderer: NetworkManager\\n' >/usr/lib/netplan/00-network-manager-all.yaml
chmod 600 /usr/lib/netplan/00-network-manager-all.yaml
"""
"""Commands that make the system of a card: cloud-init with the two settings of Raspberry Pi OS, and a way to packages
only by the names of Debian's mirror and of `packages.test`, which the test answers."""

OFFLINE = f"[global]\nno-index = true\nfind-links = {WHEELS}\n"


def find_missing_tools() -> list[str]:
    """Return what this machine lacks for the test, empty if it has everything."""
    wanted = (
        "debootstrap", "chroot", "mkfs.ext4", "nbdfuse", "fusermount3", "unshare", "nsenter", "setpriv", "ip",
        "dnsmasq", "ssh", "ssh-keygen",
    )  # fmt: skip
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
    pins = [CHECKOUT / "requirements" / name for name in ("base.txt", "wifi.txt")]
    state = hashlib.sha256(f"{PACKAGES} {DOWNLOAD}".encode() + b"".join(map(Path.read_bytes, pins))).hexdigest()
    tree, kept = BUILD / release, BUILD / f"{release}.state"
    if tree.exists() and kept.exists() and kept.read_text() == state:
        return tree
    kept.unlink(missing_ok=True)
    shutil.rmtree(tree, ignore_errors=True)
    BUILD.mkdir(parents=True, exist_ok=True)
    include = f"--include={','.join(PACKAGES)}"
    command = ["debootstrap", "--variant=minbase", include, release, str(tree), *find_mirror()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    _download_wheels(tree, pins)
    (tree / "etc/pip.conf").write_text(OFFLINE)
    (tree / "etc/machine-id").write_text("")
    shutil.rmtree(tree / "var/cache/apt")
    kept.write_text(state)
    return tree


def make_card_tree(release: str) -> tuple[Path, Path]:
    """Return the clean system for a card, and the folder with the packages that it needs from the internet."""
    base = make_tree(release)
    tree, packages, kept = (BUILD / f"{release}-{name}" for name in ("card", "packages", "card.state"))
    state = hashlib.sha256((BUILD / f"{release}.state").read_bytes() + PREPARE_CARD.encode()).hexdigest()
    if tree.exists() and kept.exists() and kept.read_text() == state:
        return tree, packages
    kept.unlink(missing_ok=True)
    for each in (tree, packages):
        shutil.rmtree(each, ignore_errors=True)
    subprocess.run(["cp", "--archive", base, tree], check=True)
    (tree / "etc/resolv.conf").write_bytes(Path("/etc/resolv.conf").read_bytes())
    with (BUILD / f"{release}-card.log").open("wb") as log:
        subprocess.run(["chroot", tree, "bash", "-ec", PREPARE_CARD], check=True, stdout=log, stderr=log)
    (tree / "root/packages").rename(packages)
    kept.write_text(state)
    return tree, packages


def find_mirror() -> list[str]:
    """Return the address of this machine's mirror of Debian, if it has one."""
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


def _download_wheels(tree: Path, pins: list[Path]) -> None:
    """Download all pinned packages with the settings that pip has on this machine."""
    lent = [Path("/etc/resolv.conf"), Path("/etc/pip.conf"), Path("/etc/ssl/certs/ca-certificates.crt")]
    for path in lent:
        if path.exists():
            (tree / path.relative_to("/")).write_bytes(path.read_bytes())
    (tree / "root/pins.txt").write_bytes(b"".join(map(Path.read_bytes, pins)))
    (tree / WHEELS[1:]).mkdir()
    with (BUILD / f"{tree.name}.log").open("wb") as log:
        subprocess.run(["chroot", tree, "bash", "-ec", DOWNLOAD], check=True, stdout=log, stderr=log)
