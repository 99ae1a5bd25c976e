"""A certificate of our own: an authority that phones come to trust once, and what it signs for this machine's names.

Both lie beside the journal and are made by the system's `openssl`, which a Raspberry Pi has and keeps up to date. The
authority can vouch for names of this network alone: who steals its key can pose as no other site on the internet.
"""

import ipaddress
import re
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import ifaddr

from companion.common.errors import CompanionError

DAYS = 397
"""So long a certificate holds; phones refuse one of more than 825 days."""
RENEWED_DAYS = 30
"""So long before its end it is made anew."""
AUTHORITY_DAYS = 3650
_LOOKS_S = 3600.0

_HOME = ("10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0", "169.254.0.0/255.255.0.0",
         "127.0.0.0/255.0.0.0", "fc00::/fe00::", "fe80::/ffc0::",
         "::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")  # fmt: skip
"""Addresses that are a home network's."""
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")


def names(hosts: Iterable[str]) -> frozenset[str]:
    """The names and addresses under which phones find this machine; `hosts` are further names."""
    own = socket.gethostname().lower()
    short = own.partition(".")[0]
    known = {"localhost", own, short, f"{short}.local", *(host.lower() for host in hosts)}
    found = [ip.ip if ip.is_IPv4 else ip.ip[0] for card in ifaddr.get_adapters() for ip in card.ips]
    addresses = {str(ipaddress.ip_address(str(each).partition("%")[0])) for each in ("127.0.0.1", "::1", *found)}
    return frozenset(addresses | {name for name in known if _HOST.fullmatch(name)})


class Authority:
    """The files of authority and certificate beside a journal."""

    def __init__(self, journal: Path) -> None:
        self.root, self._root_key = journal.with_suffix(".authority.pem"), journal.with_suffix(".authority.key")
        self.certificate, self.key = journal.with_suffix(".certificate.pem"), journal.with_suffix(".certificate.key")
        self._folder = journal.parent

    def certify(self, wanted: frozenset[str]) -> bool:
        """See to it that there is a certificate for these names that does not end soon; whether it is a new one.

        The authority stays as long as it can vouch for them. Raises CompanionError.
        """
        try:
            if self._holds(wanted):
                return False
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self._folder) as made:
                if not self._lasts(self.root, DAYS) or not self._sign(Path(made), wanted):
                    self._found(Path(made), wanted)
                    if not self._sign(Path(made), wanted):
                        raise CompanionError("The certificate that was made is no good: openssl does not verify it.")
                for name, path in (("key", self.key), ("certificate", self.certificate)):
                    (Path(made) / name).replace(path)
        except OSError as error:
            raise CompanionError(f"The certificate cannot be kept beside the journal: {error.strerror}.") from error
        return True

    def mark(self) -> str:
        """The authority's fingerprint, by which somebody sees on a phone that it is this one."""
        return _openssl("x509", "-noout", "-fingerprint", "-sha256", "-in", self.root).partition("=")[2].strip()

    def _holds(self, wanted: frozenset[str]) -> bool:
        if not (self._lasts(self.root, RENEWED_DAYS) and self._lasts(self.certificate, RENEWED_DAYS)):
            return False
        told = _openssl("x509", "-noout", "-ext", "subjectAltName", "-in", self.certificate)
        addresses = {str(ipaddress.ip_address(each)) for each in re.findall(r"IP Address:([0-9A-Fa-f.:]+)", told)}
        return wanted <= addresses | set(re.findall(r"DNS:([^,\s]+)", told)) and self.key.exists()

    def _lasts(self, path: Path, days: int) -> bool:
        return path.exists() and bool(_openssl("x509", "-noout", "-checkend", days * 86_400, "-in", path, fails=""))

    def _found(self, made: Path, wanted: frozenset[str]) -> None:
        """A new authority: phones must come to trust it once more."""
        hosts, addresses = _parted(wanted)
        own = [f"{each}/{'255.255.255.255' if '.' in each else 'ffff:' * 7 + 'ffff'}" for each in addresses]
        permitted = [f"permitted;DNS.{n} = {name}" for n, name in enumerate(["local", *hosts])]
        permitted += [f"permitted;IP.{n} = {each}" for n, each in enumerate([*_HOME, *own])]
        lines = ["[req]", "distinguished_name = dn", "prompt = no", "x509_extensions = v3", "[dn]",
                 f"CN = Cribbage companion at {socket.gethostname()[:30]}", "[v3]",
                 "basicConstraints = critical,CA:TRUE,pathlen:0", "keyUsage = critical,keyCertSign",
                 "subjectKeyIdentifier = hash", "nameConstraints = critical,@home", "[home]", *permitted]  # fmt: skip
        (made / "root.conf").write_text("\n".join(lines) + "\n")
        _openssl("req", "-x509", *_NEW_KEY, made / "root.key", "-config", made / "root.conf",
                 "-days", AUTHORITY_DAYS, "-out", made / "root")  # fmt: skip
        (made / "root.key").replace(self._root_key)
        (made / "root").replace(self.root)

    def _sign(self, made: Path, wanted: frozenset[str]) -> bool:
        """A new key and its certificate in a folder; whether the authority could vouch for all its names."""
        hosts, addresses = _parted(wanted)
        signed = [f"DNS:{name}" for name in hosts] + [f"IP:{each}" for each in addresses]
        (made / "extensions").write_text(
            "basicConstraints = critical,CA:FALSE\nkeyUsage = critical,digitalSignature\n"
            f"extendedKeyUsage = serverAuth\nsubjectAltName = {','.join(signed)}\n"
        )
        (made / "plain.conf").write_text("[req]\ndistinguished_name = dn\nprompt = no\n[dn]\nCN = Cribbage companion\n")
        _openssl("req", "-new", *_NEW_KEY, made / "key", "-config", made / "plain.conf", "-out", made / "asked")
        _openssl("x509", "-req", "-in", made / "asked", "-CA", self.root, "-CAkey", self._root_key, "-CAcreateserial",
                 "-CAserial", made / "serial", "-days", DAYS, "-sha256", "-extfile", made / "extensions",
                 "-out", made / "certificate")  # fmt: skip
        return bool(_openssl("verify", "-CAfile", self.root, made / "certificate", fails=""))


class Renewing:
    """Looks every hour whether the certificate ends, or the machine has another address, until it is closed."""

    def __init__(self, look: Callable[[], None], every_s: float = _LOOKS_S) -> None:
        self._closed = threading.Event()
        self._look, self._every_s = look, every_s
        self._thread = threading.Thread(target=self._run, name="renewing", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look no more. May be called twice."""
        self._closed.set()
        self._thread.join(5)

    def _run(self) -> None:
        while not self._closed.wait(self._every_s):
            self._look()


_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout")


def _parted(wanted: frozenset[str]) -> tuple[list[str], list[str]]:
    """Names, and addresses."""
    addresses = {each for each in wanted if ":" in each or re.fullmatch(r"[0-9.]+", each)}
    return sorted(wanted - addresses), sorted(addresses)


def _openssl(*words: object, fails: str | None = None) -> str:
    """What `openssl` says; `fails` where it fails and that is an answer. Raises CompanionError."""
    try:
        done = subprocess.run(
            ["openssl", *map(str, words)], capture_output=True, text=True, check=False, timeout=60, umask=0o077
        )
    except FileNotFoundError:
        raise CompanionError(
            "A certificate of our own needs the program openssl: type sudo apt install openssl, or name one with --tls "
            "CERT KEY."
        ) from None
    except subprocess.TimeoutExpired:
        raise CompanionError("No certificate could be made: openssl did not answer within a minute.") from None
    if done.returncode == 0:
        return done.stdout or done.stderr or "ok"
    if fails is not None:
        return fails
    raise CompanionError(f"No certificate could be made: openssl {words[0]} failed.")
