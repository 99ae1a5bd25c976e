"""A disk under SQLite that a test can see and break: a VFS (SQLite's layer of files) around the system's own.

It notes every write and every sync of every file, so that a power cut can be made afterwards: what was not synced is
lost, or half there. And it can refuse a sync or a write, as a full or a dying disk does.
"""

import ctypes as c
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

IOERR_FSYNC, IOERR_WRITE, FULL = 1034, 778, 13
_FILE, _TEXT = c.c_void_p, c.c_char_p
_OPEN = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, _FILE, c.c_int, c.POINTER(c.c_int))
_DELETE = c.CFUNCTYPE(c.c_int, c.c_void_p, _TEXT, c.c_int)
_WRITE = c.CFUNCTYPE(c.c_int, _FILE, c.c_void_p, c.c_int, c.c_int64)
_TRUNCATE = c.CFUNCTYPE(c.c_int, _FILE, c.c_int64)
_SYNC = c.CFUNCTYPE(c.c_int, _FILE, c.c_int)


class _Methods(c.Structure):
    """`sqlite3_io_methods`, version 3."""

    _fields_ = (("version", c.c_int), *((name, c.c_void_p) for name in (
        "close", "read", "write", "truncate", "sync", "size", "lock", "unlock", "reserved", "control", "sector",
        "device", "shm_map", "shm_lock", "shm_barrier", "shm_unmap", "fetch", "unfetch",
    )))  # fmt: skip


class _Vfs(c.Structure):
    """`sqlite3_vfs`, version 3."""

    _fields_ = (
        ("version", c.c_int), ("file_size", c.c_int), ("longest", c.c_int), ("next", c.c_void_p), ("name", _TEXT),
        ("data", c.c_void_p), ("open", c.c_void_p), ("delete", c.c_void_p),
        *((f"other{n}", c.c_void_p) for n in range(14)),
    )  # fmt: skip


class Done(NamedTuple):
    """What was done to a file: `what` is write, truncate, sync, delete or create; `bytes` were written at `at`."""

    what: str
    path: str
    at: int = 0
    bytes: bytes = b""


class Disk:
    """What was done, in order, and what is to fail: `fail(what, path)` gives SQLite's number of an error, or 0."""

    def __init__(self) -> None:
        self.done: list[Done] = []
        self.fail: Callable[[str, str], int] = lambda what, path: 0

    def image(self, upto: int, folder: Path, chance: Random) -> None:
        """The files of SQLite as a power cut after so many deeds leaves them, in this folder."""
        files: dict[str, bytearray] = {}
        synced: dict[str, int] = {}
        for n, deed in enumerate(self.done[:upto]):
            if deed.what == "sync":
                synced[deed.path] = n
        for n, deed in enumerate(self.done[:upto]):
            is_durable = n < synced.get(deed.path, -1) or deed.what in ("create", "delete")
            if not is_durable and chance.random() < 0.5:
                continue
            part = len(deed.bytes) if is_durable or chance.random() < 0.7 else chance.randrange(len(deed.bytes) + 1)
            _apply(files, deed._replace(bytes=deed.bytes[:part]))
        for name, held in files.items():
            (folder / Path(name).name).write_bytes(held)


def _apply(files: dict[str, bytearray], deed: Done) -> None:
    if deed.what == "create":
        files.setdefault(deed.path, bytearray())
    elif deed.what == "delete":
        files.pop(deed.path, None)
    elif deed.what == "truncate":
        del files[deed.path][deed.at :]
    elif deed.what == "write":
        held = files[deed.path]
        held.extend(bytes(max(0, deed.at - len(held))))
        held[deed.at : deed.at + len(deed.bytes)] = deed.bytes


@contextmanager
def watched() -> Iterator[Disk]:
    """All that SQLite opens in this process from now on lies on the disk given."""
    library = c.CDLL("libsqlite3.so.0")
    library.sqlite3_libversion.restype = _TEXT
    assert library.sqlite3_libversion().decode() == sqlite3.sqlite_version, "not the SQLite that Python uses"
    library.sqlite3_vfs_find.restype = c.c_void_p
    library.sqlite3_vfs_find.argtypes = [_TEXT]
    library.sqlite3_vfs_register.argtypes = [c.c_void_p, c.c_int]
    library.sqlite3_vfs_unregister.argtypes = [c.c_void_p]
    own = library.sqlite3_vfs_find(None)
    system, disk = _Vfs.from_address(own), Disk()
    around, keeping = _around(system, own, disk)
    assert library.sqlite3_vfs_register(c.byref(around), 1) == 0
    try:
        yield disk
    finally:
        library.sqlite3_vfs_unregister(c.byref(around))
        _KEPT.append(keeping)


_KEPT: list[object] = []
"""A connection that is closed late still calls these."""


def _around(system: _Vfs, own: int, disk: Disk) -> tuple[_Vfs, list[object]]:
    kept: list[object] = []
    names: dict[int, str] = {}
    open_, delete_ = _OPEN(system.open), _DELETE(system.delete)

    def opened(_: int, name: int | None, file: int, flags: int, out: object) -> int:
        code = open_(own, name, file, flags, out)  # the name as it is: SQLite keeps the pointer
        place = c.c_void_p.from_address(file)
        if code or not name or not place.value:
            return code
        path = names[file] = c.string_at(name).decode()
        disk.done.append(Done("create", path))
        methods = _Methods.from_buffer_copy(_Methods.from_address(place.value))
        write, truncate, sync = _WRITE(methods.write), _TRUNCATE(methods.truncate), _SYNC(methods.sync)

        def written(at_file: int, held: int, size: int, at: int) -> int:
            if failed := disk.fail("write", names[at_file]):
                return failed
            disk.done.append(Done("write", names[at_file], at, c.string_at(held, size)))
            return write(at_file, held, size, at)

        def truncated(at_file: int, size: int) -> int:
            disk.done.append(Done("truncate", names[at_file], size))
            return truncate(at_file, size)

        def synced(at_file: int, flags: int) -> int:
            if failed := disk.fail("sync", names[at_file]):
                return failed
            disk.done.append(Done("sync", names[at_file]))
            return sync(at_file, flags)

        calls = _WRITE(written), _TRUNCATE(truncated), _SYNC(synced)
        methods.write, methods.truncate, methods.sync = (c.cast(each, c.c_void_p).value for each in calls)
        kept.extend((methods, *calls))
        place.value = c.addressof(methods)
        return code

    def deleted(_: int, name: bytes, sync: int) -> int:
        disk.done.append(Done("delete", name.decode()))
        return delete_(own, name, sync)

    around = _Vfs.from_buffer_copy(system)
    calls = _OPEN(opened), _DELETE(deleted)
    around.name, around.next = b"watched", None
    around.open, around.delete = (c.cast(each, c.c_void_p).value for each in calls)
    kept += [around, *calls]
    return around, kept
