"""Our own certificate authority, seen by a real TLS client: names, renewal, file modes."""

import contextlib
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from companion.app import certificates
from companion.app.certificates import CertificateAuthority, CertificateRenewer, certificate_names
from companion.common.errors import CompanionError
from companion.http.wsgi.tls import TlsWrapper
from tests.server.conftest import serve
from tests.support.waiting import PATIENCE_S

HOME = frozenset({"localhost", "127.0.0.1", "table.local", "192.168.1.5", "::1"})


@pytest.fixture
def ours(tmp_path):
    made = CertificateAuthority(tmp_path / "journal.sqlite3")
    assert made.ensure_certificate(HOME)
    return made


@pytest.fixture
def wrap(ours):
    return TlsWrapper(str(ours.certificate), str(ours.key))


@pytest.fixture
def port(app, table, wrap):
    for opened in serve(app, table, wrap=wrap):
        yield opened.port


def shown_serial(port, ours, name="localhost"):
    """Return the serial number of the certificate shown to a client that trusts only our authority."""
    trusting = ssl.create_default_context(cafile=ours.root)
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    with contextlib.closing(line), trusting.wrap_socket(line, server_hostname=name) as secured:
        return secured.getpeercert()["serialNumber"]


@pytest.mark.parametrize("name", sorted(HOME))
def test_a_trusting_client_is_served_under_each_name(port, ours, name):
    assert shown_serial(port, ours, name)


def test_without_trust_or_name_a_client_is_refused(port, ours):
    with pytest.raises(ssl.SSLCertVerificationError):
        shown_serial(port, ours, "bank.example")
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(f"https://127.0.0.1:{port}/", timeout=PATIENCE_S)


def test_keys_are_their_owners_alone(ours, tmp_path):
    for path in tmp_path.glob("journal.*.key"):
        assert path.stat().st_mode & 0o077 == 0
    assert len(list(tmp_path.glob("journal.*.key"))) == 2


def test_a_certificate_is_renewed_while_the_table_runs(port, ours, wrap, until, monkeypatch, caplog):
    root, first = ours.root.read_bytes(), shown_serial(port, ours)
    kept = ours.certificate.read_bytes()
    assert (ours.ensure_certificate(HOME), ours.certificate.read_bytes(), caplog.text) == (False, kept, "")
    monkeypatch.setattr(certificates, "RENEWAL_DAYS", certificates.CERTIFICATE_DAYS + 1)
    looked = []

    def renew():
        looked.append(ours.ensure_certificate(HOME))
        wrap.reload_certificate()

    looking = CertificateRenewer(renew, every_s=0.05)
    assert until(lambda: looked)
    looking.close()
    assert looked[0]
    assert shown_serial(port, ours) != first
    assert ours.root.read_bytes() == root


def test_another_address_needs_only_another_certificate(ours):
    root = ours.root.read_bytes()
    assert ours.ensure_certificate(HOME | {"10.0.0.9"})
    assert ours.root.read_bytes() == root


def test_a_wanted_foreign_name_makes_a_new_authority(ours):
    root = ours.root.read_bytes()
    assert ours.ensure_certificate(HOME | {"board.example"})
    assert ours.root.read_bytes() != root
    told = subprocess.check_output(["openssl", "x509", "-noout", "-text", "-in", ours.root], text=True)
    assert "Name Constraints: critical" in told


def test_without_openssl_a_sentence_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CompanionError, match="sudo apt install openssl"):
        CertificateAuthority(tmp_path / "journal.sqlite3").ensure_certificate(HOME)


def test_the_machines_names_and_addresses_are_in_it():
    found = certificate_names(["Board.example"])
    assert {"localhost", "127.0.0.1", "::1", "board.example"} <= found
    assert f"{socket.gethostname().lower().partition('.')[0]}.local" in found


def test_without_an_authority_there_is_no_certificate(watcher):
    assert watcher.get("/authority.crt").status_code == 404


AHEAD_S = 2 * 365 * 86_400.0


@pytest.fixture
def made_ahead(tmp_path, monkeypatch):
    """Files of an authority whose certificates begin in two years, as a clock that was ahead leaves them."""
    made = CertificateAuthority(tmp_path / "journal.sqlite3")
    made.ensure_certificate(HOME)
    monkeypatch.setattr(certificates, "read_clock_s", lambda: time.time() - AHEAD_S)
    return made


def test_a_certificate_from_a_fast_clock_is_replaced(made_ahead, caplog):
    root, certificate = made_ahead.root.read_bytes(), made_ahead.certificate.read_bytes()
    assert made_ahead.ensure_certificate(HOME)
    assert (made_ahead.root.read_bytes() == root, made_ahead.certificate.read_bytes() == certificate) == (False, False)
    assert "journal.certificate.pem is not valid yet" in caplog.text
    assert "journal.authority.pem is not valid yet" in caplog.text
    assert "Phones must trust the new one" in caplog.text


def test_a_slightly_fast_clock_needs_no_new_authority(ours, monkeypatch, caplog):
    root, certificate = ours.root.read_bytes(), ours.certificate.read_bytes()
    monkeypatch.setattr(certificates, "read_clock_s", lambda: time.time() - 3600)
    assert ours.ensure_certificate(HOME)
    assert (ours.root.read_bytes() == root, ours.certificate.read_bytes() == certificate) == (True, False)
    assert "journal.certificate.pem is not valid yet" in caplog.text
