"""The disk of `make pi`: what was flushed survives every power cut, and of the rest a part that the seed decides."""

import socket
import subprocess
from collections import Counter
from random import Random

import pytest

from .debian_tree import find_missing_tools
from .volatile_disk import BLOCK_BYTES, DiskFailure, DiskServer, VolatileDisk

OLD, NEW, LATER = (bytes([value]) * BLOCK_BYTES for value in (1, 2, 3))


@pytest.fixture
def path(tmp_path):
    """A disk of 16 blocks of old content."""
    path = tmp_path / "disk.img"
    path.write_bytes(OLD * 16)
    return path


def test_what_was_flushed_survives_and_what_was_not_may_be_lost(path):
    outcomes = Counter()
    for seed in range(40):
        disk = VolatileDisk(path)
        disk.write(0, NEW)
        disk.flush()
        disk.write(BLOCK_BYTES, NEW * 4)
        assert disk.read(0, 6 * BLOCK_BYTES) == NEW * 5 + OLD
        disk.cut_power(Random(seed))
        disk.close()
        blocks = [path.read_bytes()[start:][:BLOCK_BYTES] for start in range(0, 6 * BLOCK_BYTES, BLOCK_BYTES)]
        assert (blocks[0], blocks[5]) == (NEW, OLD)
        outcomes["".join("new " if block == NEW else "old " for block in blocks[1:5])] += 1
        path.write_bytes(OLD * 16)
    assert len(outcomes) > 4
    assert outcomes["old old old old "] > 4
    assert outcomes["new new new new "] > 4


def test_without_power_nothing_is_read_written_or_flushed(path):
    disk = VolatileDisk(path)
    disk.cut_power(Random(1))
    for operation in (lambda: disk.read(0, 1), lambda: disk.write(0, b"x"), disk.flush):
        with pytest.raises(DiskFailure):
            operation()
    disk.close()
    assert path.read_bytes() == OLD * 16


def test_parts_of_blocks_are_read_and_written(path):
    disk = VolatileDisk(path)
    disk.write(BLOCK_BYTES - 3, b"abcdef")
    assert disk.read(BLOCK_BYTES - 4, 8) == b"\1abcdef\1"
    disk.flush()
    disk.close()
    assert path.read_bytes()[BLOCK_BYTES - 4 :][:8] == b"\1abcdef\1"


def test_a_recording_gives_the_disk_after_a_cut_at_any_moment(path, monkeypatch):
    moments = iter(range(1, 100))
    monkeypatch.setattr("tests.pi.volatile_disk.time.monotonic", lambda: float(next(moments)))
    disk = VolatileDisk(path)
    disk.start_recording()  # begins with a flush, which is not recorded
    disk.write(0, NEW)  # at 1
    disk.flush()  # at 2
    disk.write(0, LATER)  # at 3
    disk.write(BLOCK_BYTES, LATER)  # at 4
    disk.flush()  # at 5
    recorded = disk.stop_recording()

    def blocks_after_cut(at_s, seed):
        copy = disk.disk_after_cut(recorded, at_s, Random(seed))
        found = copy.read(0, 2 * BLOCK_BYTES)
        copy.write(0, OLD)
        copy.flush()
        copy.close()
        return found

    assert {blocks_after_cut(0.5, seed) for seed in range(20)} == {OLD + OLD}
    assert {blocks_after_cut(1.5, seed) for seed in range(20)} == {OLD + OLD, NEW + OLD}
    assert {blocks_after_cut(2.5, seed) for seed in range(20)} == {NEW + OLD}
    assert {blocks_after_cut(4.5, seed) for seed in range(40)} == {NEW + OLD, NEW + LATER, LATER + OLD, LATER + LATER}
    assert {blocks_after_cut(5.5, seed) for seed in range(20)} == {LATER + LATER}
    disk.close()
    assert path.read_bytes() == LATER * 2 + OLD * 14


def test_a_client_of_the_protocol_reads_writes_and_flushes(path, tmp_path):
    disk = VolatileDisk(path)
    server = DiskServer(disk, tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(tmp_path / "socket"))
        stream = client.makefile("rwb")
        assert stream.read(18) == b"NBDMAGICIHAVEOPT\0\1"
        stream.write(
            b"\0\0\0\1" + b"IHAVEOPT" + (8).to_bytes(4, "big") + bytes(4)
        )  # structured replies, which it lacks
        stream.write(b"IHAVEOPT" + (7).to_bytes(4, "big") + (6).to_bytes(4, "big") + bytes(6))
        stream.flush()
        assert stream.read(20)[12:16] == b"\x80\0\0\1"
        information = stream.read(20 + 12)
        assert int.from_bytes(information[22:30], "big") == 16 * BLOCK_BYTES
        assert stream.read(20)[12:16] == b"\0\0\0\1"

        def ask(command, offset, length, content=b""):
            words = ((0x25609513, 4), (0, 2), (command, 2), (7, 8), (offset, 8), (length, 4))
            stream.write(b"".join(value.to_bytes(size, "big") for value, size in words) + content)
            stream.flush()
            reply = stream.read(16)
            assert (reply[:4], reply[8:]) == (b"\x67\x44\x66\x98", (7).to_bytes(8, "big"))
            return int.from_bytes(reply[4:8], "big")

        assert ask(1, 0, 5, b"hello") == 0
        assert ask(3, 0, 0) == 0
        assert ask(0, 0, 6) == 0
        assert stream.read(6) == b"hello\1"
        assert ask(99, 0, 0) == 22
        disk.cut_power(Random(1))
        assert ask(0, 0, 6) == 5
    server.close()
    disk.close()
    assert path.read_bytes()[:6] == b"hello\1"


def test_without_root_or_tools_it_says_what_is_missing(monkeypatch, capsys):
    from . import run  # noqa: PLC0415 - it replaces its process when it is run

    monkeypatch.setattr(run, "find_missing_tools", lambda: ["root", "nbdfuse"])
    monkeypatch.setattr("sys.argv", ["run"])
    for environment, code in (("true", True), ("", False)):
        monkeypatch.setenv("CI", environment)
        with pytest.raises(SystemExit) as ended:
            run.main()
        assert ended.value.code == code
        assert "SKIPPED: make pi" in capsys.readouterr().out


@pytest.mark.namespaces
@pytest.mark.skipif(bool(find_missing_tools()), reason="root, /dev/fuse and the tools of make pi are needed")
def test_the_kernel_flushes_what_a_program_syncs(path, tmp_path):
    disk = VolatileDisk(path)
    server = DiskServer(disk, tmp_path / "socket")
    (tmp_path / "fuse").mkdir()
    process = subprocess.Popen(["nbdfuse", tmp_path / "fuse", "--unix", tmp_path / "socket"])
    write = ["dd", "if=/dev/zero", f"of={tmp_path}/fuse/nbd", "bs=4096", "count=1", "conv=notrunc"]
    while not (tmp_path / "fuse/nbd").exists():
        assert process.poll() is None
    subprocess.run([*write, "conv=notrunc,fsync"], check=True, capture_output=True)
    assert path.read_bytes()[: 2 * BLOCK_BYTES] == bytes(BLOCK_BYTES) + OLD
    subprocess.run(["fusermount3", "-u", tmp_path / "fuse"], check=True)
    process.wait()
    server.close()
    disk.close()
