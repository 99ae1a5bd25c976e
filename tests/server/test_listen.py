"""An address that cannot be used is reported with what to do."""

import contextlib

import pytest

from companion.common.errors import CompanionError
from companion.http.wsgi.server import listen


@pytest.mark.parametrize("host", ["192.0.2.77", "no-such-host.invalid", "256.1.1.1"])
def test_an_address_of_another_machine(host):
    with pytest.raises(CompanionError, match=f"no address {host}. Leave out --host"):
        listen(host, 0)


def test_a_port_that_is_taken():
    with contextlib.closing(listen("127.0.0.1", 0)) as first:
        port = first.getsockname()[1]
        with pytest.raises(CompanionError, match=f"Port {port} of the address 127.0.0.1 is taken"):
            listen("127.0.0.1", port)
