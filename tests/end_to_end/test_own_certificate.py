"""`companion play --tls` alone, and a client that trusts nothing but what the program made."""

import json
import re
import signal
import ssl
import subprocess
import sys
import urllib.request

from tests.support.waiting import PATIENCE_S


def test_tls_alone_makes_what_it_needs_and_is_served_at_once(tmp_path):
    journal = tmp_path / "journal.sqlite3"
    words = [sys.executable, "-m", "companion", "play", "--tls", "--port", "0", "--journal", str(journal),
             "--set", "announce=off"]  # fmt: skip
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = re.search(r"https://[^/]+:(\d+)/", process.stdout.readline())[1]
            trusting = ssl.create_default_context(cafile=tmp_path / "journal.authority.pem")
            for path in ("/api/me", "/authority.crt"):
                url = f"https://localhost:{port}{path}"
                with urllib.request.urlopen(url, timeout=PATIENCE_S, context=trusting) as reply:
                    told = reply.read()
                    assert json.loads(told)["role"] == "watcher" if path == "/api/me" else told[:1] == b"0"
        finally:
            process.send_signal(signal.SIGTERM)
    assert process.returncode == 0
