"""A disk with a volatile cache: what was not flushed when the power goes is lost, in part and in any order.

The kernel reaches it through `nbdfuse` and a loop device, so that any file system may be on it. It keeps writes in
memory until a flush, as an SD card does. A power cut writes a random part of those to the file and forgets the others.
A recording of all writes and flushes gives the content of the disk after a cut at any moment, without a second run.
"""

import os
import socket
import struct
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

BLOCK_BYTES = 4096
"""Size of a block, which is either written or not when the power goes: that of an ext4 file system."""


class DiskFailure(OSError):
    """The disk has no power."""


class Operation(NamedTuple):
    """A recorded write of one block, or a flush, whose `block` is -1. `at_s` is in seconds of `time.monotonic`."""

    at_s: float
    block: int
    content: bytes


class VolatileDisk:
    """A disk whose durable content is a file. Any thread may call its methods.

    :param path: an existing file, whose size is that of the disk
    :param pages: content of blocks that takes the place of that of the file. If it is given, the file is never changed
    """

    def __init__(self, path: Path, pages: Mapping[int, bytes] | None = None) -> None:
        self._file = os.open(path, os.O_RDONLY if pages is not None else os.O_RDWR)
        self.path, self.size = path, os.fstat(self._file).st_size
        self._pages = dict(pages) if pages is not None else None
        self._cache: dict[int, bytes] = {}
        self._lock = threading.Lock()
        self._has_power = True
        self._recorded: list[Operation] | None = None
        self._originals: dict[int, bytes] = {}

    def read(self, offset: int, length: int) -> bytes:
        """Return bytes as the machine sees them, cached writes included. Raises DiskFailure without power."""
        with self._lock:
            self._check_power()
            first, last = offset // BLOCK_BYTES, (offset + length - 1) // BLOCK_BYTES
            content = self._read_blocks(first, last + 1)
        return content[offset - first * BLOCK_BYTES :][:length]

    def write(self, offset: int, content: bytes) -> None:
        """Write into the cache. Raises DiskFailure without power."""
        with self._lock:
            self._check_power()
            while content:
                block, start = divmod(offset, BLOCK_BYTES)
                part = content[: BLOCK_BYTES - start]
                if len(part) < BLOCK_BYTES:
                    old = self._read_block(block)
                    part = old[:start] + part + old[start + len(part) :]
                self._cache[block] = part
                self._record(block, part)
                offset, content = offset + BLOCK_BYTES - start, content[BLOCK_BYTES - start :]

    def flush(self) -> None:
        """Make all writes durable. Raises DiskFailure without power."""
        with self._lock:
            self._check_power()
            self._keep(self._cache)
            self._cache = {}
            self._record(-1, b"")

    def cut_power(self, chance: Random) -> None:
        """Forget some of the cached writes, by chance, and refuse everything from now on."""
        with self._lock:
            self._keep(_draw_survivors(self._cache, chance))
            self._cache, self._has_power = {}, False

    def restore_power(self) -> "VolatileDisk":
        """Return this disk with power. What an old server has still to do fails."""
        self.close()
        return VolatileDisk(self.path, self._pages)

    def start_recording(self) -> None:
        """Record all operations from now on, beginning with a flush."""
        self.flush()
        with self._lock:
            self._recorded, self._originals = [], {}

    def stop_recording(self) -> list[Operation]:
        """Return the operations since `start_recording`."""
        with self._lock:
            recorded, self._recorded = self._recorded or [], None
        return recorded

    def disk_after_cut(self, recorded: list[Operation], at_s: float, chance: Random) -> "VolatileDisk":
        """Return the disk as a cut at this moment of the recording would have left it. This one must be at rest.

        Its writes are kept in memory.
        """
        pages, cached = dict(self._originals), dict[int, bytes]()
        for operation in recorded:
            if operation.at_s > at_s:
                break
            if operation.block >= 0:
                cached[operation.block] = operation.content
            else:
                pages.update(cached)
                cached.clear()
        return VolatileDisk(self.path, {**pages, **_draw_survivors(cached, chance)})

    def close(self) -> None:
        """Close the file. What was not flushed is lost."""
        with self._lock:
            self._has_power = False
            os.close(self._file)

    def _check_power(self) -> None:
        if not self._has_power:
            raise DiskFailure(5, "the disk has no power")

    def _read_blocks(self, first: int, end: int) -> bytes:
        blocks = range(first, end)
        known = (self._cache, self._pages or {})
        if not any(block in pages for pages in known for block in blocks):
            return os.pread(self._file, len(blocks) * BLOCK_BYTES, first * BLOCK_BYTES)
        return b"".join(map(self._read_block, blocks))

    def _read_block(self, block: int) -> bytes:
        for known in (self._cache, self._pages or {}):
            if block in known:
                return known[block]
        return os.pread(self._file, BLOCK_BYTES, block * BLOCK_BYTES)

    def _keep(self, pages: Mapping[int, bytes]) -> None:
        if self._pages is not None:
            self._pages.update(pages)
            return
        for block, content in pages.items():
            if self._recorded is not None and block not in self._originals:
                self._originals[block] = os.pread(self._file, BLOCK_BYTES, block * BLOCK_BYTES)
            os.pwrite(self._file, content, block * BLOCK_BYTES)

    def _record(self, block: int, content: bytes) -> None:
        if self._recorded is not None:
            self._recorded.append(Operation(time.monotonic(), block, content))


def _draw_survivors(cached: Mapping[int, bytes], chance: Random) -> dict[int, bytes]:
    """Return the cached blocks that a disk had written when the power went: none, all, or some of them."""
    share = chance.choice((0.0, chance.random(), 1.0))
    return {block: content for block, content in cached.items() if chance.random() < share}


class DiskServer:
    """Serves a disk over a Unix socket to one client after another, by the protocol of network block devices (NBD).

    The protocol is described in https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md.
    """

    def __init__(self, disk: VolatileDisk, socket_path: Path) -> None:
        self._disk = disk
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(socket_path))
        self._listener.listen()
        threading.Thread(target=self._run, name="disk", daemon=True).start()

    def close(self) -> None:
        """Accept no more clients, and end the thread once the last one has gone."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _run(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with client, suppress(ConnectionError):
                stream = client.makefile("rwb")
                if self._negotiate(stream):
                    self._answer_requests(stream)

    def _negotiate(self, stream) -> bool:  # type: ignore[no-untyped-def]  # a socket's buffered stream
        stream.write(b"NBDMAGICIHAVEOPT" + struct.pack(">H", _FIXED_NEWSTYLE))
        stream.flush()
        _read_exactly(stream, 4)
        while True:
            _, option, length = struct.unpack(">8sII", _read_exactly(stream, 16))
            _read_exactly(stream, length)
            if option == _OPTION_GO:
                export = struct.pack(">HQH", 0, self._disk.size, _HAS_FLAGS | _SENDS_FLUSH)
                _write_option_reply(stream, option, _REPLY_INFO, export)
                _write_option_reply(stream, option, _REPLY_ACK)
                return True
            _write_option_reply(stream, option, _REPLY_ACK if option == _OPTION_ABORT else _REPLY_UNSUPPORTED)
            if option == _OPTION_ABORT:
                return False

    def _answer_requests(self, stream) -> None:  # type: ignore[no-untyped-def]
        while True:
            _, _, command, cookie, offset, length = struct.unpack(">IHHQQI", _read_exactly(stream, 28))
            content = _read_exactly(stream, length) if command == _WRITE else b""
            if command == _DISCONNECT:
                return
            error = 0
            try:
                if command == _READ:
                    content = self._disk.read(offset, length)
                elif command == _WRITE:
                    self._disk.write(offset, content)
                elif command == _FLUSH:
                    self._disk.flush()
                else:
                    error = 22  # EINVAL
            except OSError as failure:
                error = failure.errno or 5
            stream.write(struct.pack(">IIQ", 0x67446698, error, cookie))
            if command == _READ and not error:
                stream.write(content)
            stream.flush()


_FIXED_NEWSTYLE = 1
_OPTION_ABORT, _OPTION_GO = 2, 7
_REPLY_ACK, _REPLY_INFO, _REPLY_UNSUPPORTED = 1, 3, 2**31 + 1
_HAS_FLAGS, _SENDS_FLUSH = 1, 4
_READ, _WRITE, _DISCONNECT, _FLUSH = 0, 1, 2, 3


def _read_exactly(stream, length: int) -> bytes:  # type: ignore[no-untyped-def]
    content = bytes(stream.read(length))
    if len(content) < length:
        raise ConnectionResetError("the client has gone")
    return content


def _write_option_reply(stream, option: int, reply: int, content: bytes = b"") -> None:  # type: ignore[no-untyped-def]
    stream.write(struct.pack(">QIII", 0x3E889045565A9, option, reply, len(content)) + content)
    stream.flush()
