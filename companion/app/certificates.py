"""A private certificate authority, which phones trust once, and the TLS certificate that it signs for this machine.

Both are stored beside the journal and created by the system's `openssl`. Name constraints limit the authority to this
network, so a stolen key cannot impersonate other sites.
"""

import ipaddress
import logging
import re
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import ifaddr

from companion.common.errors import CompanionError
from companion.common.worker import Worker

CERTIFICATE_DAYS = 397
"""Validity of a certificate in days. Phones refuse more than 825 days."""
RENEWAL_DAYS = 30
"""A certificate is renewed this many days before it expires."""
AUTHORITY_DAYS = 3650
_CERTIFICATE_LEAD_S = 60.0
"""A certificate that begins later than this is replaced: the clock was ahead when it was created."""
_AUTHORITY_LEAD_S = 86_400.0
"""The same for the authority: longer, because phones must trust a new one, and a Pi's clock may start an hour late."""
_CHECK_INTERVAL_S = 3600.0

_HOME_NETWORKS = ("10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0", "169.254.0.0/255.255.0.0",
         "127.0.0.0/255.0.0.0", "fc00::/fe00::", "fe80::/ffc0::",
         "::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")  # fmt: skip
"""Address ranges of home networks."""
_LOG = logging.getLogger(__name__)

read_clock_s = time.time
"""The time of day in s since the epoch."""

_HOST_PATTERN = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")


def certificate_names(hosts: Iterable[str]) -> frozenset[str]:
    """Return the names and addresses of this machine for the certificate; `hosts` are further names."""
    host = socket.gethostname().lower()
    short = host.partition(".")[0]
    known = {"localhost", host, short, f"{short}.local", *(host.lower() for host in hosts)}
    adapters = [ip.ip if ip.is_IPv4 else ip.ip[0] for card in ifaddr.get_adapters() for ip in card.ips]
    addresses = {str(ipaddress.ip_address(str(each).partition("%")[0])) for each in ("127.0.0.1", "::1", *adapters)}
    return frozenset(addresses | {name for name in known if _HOST_PATTERN.fullmatch(name)})


class CertificateAuthority:
    """The authority and its certificate, as files beside a journal."""

    def __init__(self, journal: Path) -> None:
        self.root, self._root_key = journal.with_suffix(".authority.pem"), journal.with_suffix(".authority.key")
        self.certificate, self.key = journal.with_suffix(".certificate.pem"), journal.with_suffix(".certificate.key")
        self._folder = journal.parent

    def ensure_certificate(self, names: frozenset[str]) -> bool:
        """Create a certificate for these names unless a valid one exists. Returns whether it was created.

        The authority is kept as long as it can sign for these names. A certificate that is not valid yet is replaced,
        and a warning is logged. Raises CompanionError.
        """
        try:
            has_begun = self._has_begun(self.certificate, _CERTIFICATE_LEAD_S)
            has_authority_begun = self._has_begun(self.root, _AUTHORITY_LEAD_S)
            if has_begun and has_authority_begun and self._is_valid_for(names):
                return False
            if not has_authority_begun:
                _LOG.warning("Phones must trust the new one: install it again as docs/how-to/use-tls.md describes.")
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self._folder) as folder:
                is_usable = has_authority_begun and self._is_valid_days(self.root, CERTIFICATE_DAYS)
                if not is_usable or not self._sign_certificate(Path(folder), names):
                    self._create_authority(Path(folder), names)
                    if not self._sign_certificate(Path(folder), names):
                        raise CompanionError("openssl could not verify the new certificate.")
                for name, path in (("key", self.key), ("certificate", self.certificate)):
                    (Path(folder) / name).replace(path)
        except OSError as error:
            raise CompanionError(f"Cannot store the certificate beside the journal: {error.strerror}.") from error
        return True

    def read_fingerprint(self) -> str:
        """Return the authority's SHA-256 fingerprint, to compare it on a phone."""
        return _run_openssl("x509", "-noout", "-fingerprint", "-sha256", "-in", self.root).partition("=")[2].strip()

    def _is_valid_for(self, names: frozenset[str]) -> bool:
        if not (self._is_valid_days(self.root, RENEWAL_DAYS) and self._is_valid_days(self.certificate, RENEWAL_DAYS)):
            return False
        output = _run_openssl("x509", "-noout", "-ext", "subjectAltName", "-in", self.certificate)
        addresses = {str(ipaddress.ip_address(each)) for each in re.findall(r"IP Address:([0-9A-Fa-f.:]+)", output)}
        return names <= addresses | set(re.findall(r"DNS:([^,\s]+)", output)) and self.key.exists()

    def _is_valid_days(self, path: Path, days: int) -> bool:
        return path.exists() and bool(_run_openssl("x509", "-noout", "-checkend", days * 86_400, "-in", path, fails=""))

    def _has_begun(self, path: Path, lead_s: float) -> bool:
        """Return whether a certificate begins at most `lead_s` from now, or is missing; otherwise log it."""
        output = _run_openssl("x509", "-noout", "-startdate", "-in", path, fails="") if path.exists() else ""
        begin = output.partition("=")[2].strip()
        if not begin or ssl.cert_time_to_seconds(begin) <= read_clock_s() + lead_s:
            return True
        _LOG.warning(
            "%s is not valid yet: the clock was ahead when it was created. It is valid from %s and is replaced now.",
            path.name,
            begin,
        )
        return False

    def _create_authority(self, folder: Path, names: frozenset[str]) -> None:
        """Create a new authority. Phones must trust it again."""
        hosts, addresses = _split_names(names)
        own_addresses = [f"{each}/{'255.255.255.255' if '.' in each else 'ffff:' * 7 + 'ffff'}" for each in addresses]
        permitted = [f"permitted;DNS.{n} = {name}" for n, name in enumerate(["local", *hosts])]
        permitted += [f"permitted;IP.{n} = {each}" for n, each in enumerate([*_HOME_NETWORKS, *own_addresses])]
        lines = ["[req]", "distinguished_name = dn", "prompt = no", "x509_extensions = v3", "[dn]",
                 f"CN = Cribbage companion at {socket.gethostname()[:30]}", "[v3]",
                 "basicConstraints = critical,CA:TRUE,pathlen:0", "keyUsage = critical,keyCertSign",
                 "subjectKeyIdentifier = hash", "nameConstraints = critical,@home", "[home]", *permitted]  # fmt: skip
        (folder / "root.conf").write_text("\n".join(lines) + "\n")
        _run_openssl("req", "-x509", *_NEW_KEY, folder / "root.key", "-config", folder / "root.conf",
                 "-days", AUTHORITY_DAYS, "-out", folder / "root")  # fmt: skip
        (folder / "root.key").replace(self._root_key)
        (folder / "root").replace(self.root)

    def _sign_certificate(self, folder: Path, names: frozenset[str]) -> bool:
        """Create a key and its certificate in a folder. Returns whether the authority may sign for all names."""
        hosts, addresses = _split_names(names)
        alternative_names = [f"DNS:{name}" for name in hosts] + [f"IP:{each}" for each in addresses]
        (folder / "extensions").write_text(
            "basicConstraints = critical,CA:FALSE\nkeyUsage = critical,digitalSignature\n"
            f"extendedKeyUsage = serverAuth\nsubjectAltName = {','.join(alternative_names)}\n"
        )
        (folder / "plain.conf").write_text(
            "[req]\ndistinguished_name = dn\nprompt = no\n[dn]\nCN = Cribbage companion\n"
        )
        _run_openssl(
            "req", "-new", *_NEW_KEY, folder / "key", "-config", folder / "plain.conf", "-out", folder / "request"
        )
        _run_openssl("x509", "-req", "-in", folder / "request", "-CA", self.root, "-CAkey", self._root_key,
                     "-CAcreateserial", "-CAserial", folder / "serial", "-days", CERTIFICATE_DAYS, "-sha256",
                     "-extfile", folder / "extensions", "-out", folder / "certificate")  # fmt: skip
        return bool(_run_openssl("verify", "-CAfile", self.root, folder / "certificate", fails=""))


class CertificateRenewer(Worker):
    """Calls `renew` every hour and on demand until closed, to renew the certificate in time or for a new address."""

    def __init__(self, renew: Callable[[], None], every_s: float = _CHECK_INTERVAL_S) -> None:
        super().__init__("renewing", join_timeout_s=5.0)
        self._woken = threading.Event()
        self._renew, self._every_s = renew, every_s
        self.start()

    def renew_now(self) -> None:
        """Call `renew` at once, in its thread: the machine has another address."""
        self._woken.set()

    _wake = renew_now

    def _run(self) -> None:
        while True:
            self._woken.wait(self._every_s)
            self._woken.clear()
            if self.closing.is_set():
                return
            self._renew()


_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout")


def _split_names(names: frozenset[str]) -> tuple[list[str], list[str]]:
    """Return host names and addresses as two sorted lists."""
    addresses = {each for each in names if ":" in each or re.fullmatch(r"[0-9.]+", each)}
    return sorted(names - addresses), sorted(addresses)


def _run_openssl(*words: object, fails: str | None = None) -> str:
    """Run `openssl` and return its output, or `fails`, if given, when it exits with an error. Raises CompanionError."""
    try:
        result = subprocess.run(
            ["openssl", *map(str, words)], capture_output=True, text=True, check=False, timeout=60, umask=0o077
        )
    except FileNotFoundError:
        raise CompanionError(
            "Creating a certificate needs openssl. Run sudo apt install openssl, or pass your own with --tls CERT KEY."
        ) from None
    except subprocess.TimeoutExpired:
        raise CompanionError("Could not create a certificate: openssl did not finish within a minute.") from None
    if result.returncode == 0:
        return result.stdout or result.stderr or "ok"
    if fails is not None:
        return fails
    raise CompanionError(f"Could not create a certificate: openssl {words[0]} failed.")
