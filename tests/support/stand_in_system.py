"""A substitute for systemd and for the machine that `companion service install` changes: `HOME COMMAND [WORD…]`.

It uses the units that the installer writes, and starts their commands with paths below the folder.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

from click.testing import CliRunner

from companion.plugins.service import installer
from companion.plugins.service import service_command as service


def install_service(root, words):
    """Run `companion service install` on the folder; the environment is the one of this test."""

    def run(*command):
        if command[1:3] == ("-m", "venv"):
            Path(command[-1], "bin").mkdir(parents=True)
        if command[0] == "useradd":
            with (root / "etc/passwd").open("a") as out:
                out.write(f"{command[-1]}:x:990:990::/:/bin/false\n")
        if command[:2] in (("systemctl", "restart"), ("systemctl", "try-restart")):
            return control(root, command[1], command[2]) or ""
        return ""

    service.this_machine = lambda: installer.HostMachine(root, 0, run, lambda _: True)
    done = CliRunner().invoke(service.service, words, catch_exceptions=False)
    print(done.output)
    return done.exit_code


def stop(root, name):
    """Stop a unit, and return whether it ran."""
    file = root / f"{name}.pid"
    if not file.exists():
        return False
    process = int(file.read_text())
    os.killpg(process, signal.SIGTERM)
    while Path(f"/proc/{process}/stat").exists() and " Z " not in Path(f"/proc/{process}/stat").read_text():
        time.sleep(0.05)
    file.unlink()
    return True


def control(root, action, name):
    """Do what `systemctl ACTION NAME` does."""
    ran = stop(root, name) if action in ("restart", "try-restart", "stop") else False
    if action in ("stop", "daemon-reload", "reload") or (action == "try-restart" and not ran):
        return
    if name == "mosquitto":
        command = f"mosquitto -c {root}/etc/mosquitto/mosquitto.conf"
    elif name == "nats-server":
        command = f"nats-server -t -c {root}/etc/nats-server.conf"
    else:
        files = [root / f"etc/systemd/system/{name}.service", *root.glob(f"etc/systemd/system/{name}.service.d/*")]
        lines = [line for file in files for line in file.read_text().splitlines()]
        command = [line for line in lines if line.startswith("ExecStart=")][-1].partition("=")[2]
        command = re.sub(r"(?<![\w.])/(etc|var/lib)/", rf"{root}/\1/", command.replace(str(root), ""))
        command = command.replace("/opt/companion/launch", f"{sys.executable} -m companion")
    words = shlex.split(command)
    if name == "companion-club":
        words += ["--host", "127.0.0.1", "--port", os.environ["CLUB_PORT"]]
    with (root / f"log/{name}").open("wb") as log:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    if name == "nats-server":
        process.wait()
    else:
        (root / f"{name}.pid").write_text(str(process.pid))


def main():
    root, action, *words = Path(sys.argv[1]), *sys.argv[2:]
    if action == "install":
        assert words[:3] == ["-m", "companion", "service"], words
        sys.exit(install_service(root, words[3:]))
    if action == "enable":
        action, words = "restart", words[1:]
    control(root, action, *(words or [""]))


if __name__ == "__main__":
    main()
