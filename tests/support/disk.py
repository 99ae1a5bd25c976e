"""A disk under SQLite that records operations and simulates faults: a VFS (SQLite's file layer) around the system's.

It records every write and every sync of every file, so that a test can simulate a power cut afterwards: unsynced
writes are lost or incomplete. It can also refuse a sync or a write, as a full or a failing disk does.
"""

import ctypes as c
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

IOERR_FSYNC, IOERR_WRITE, FULL = 1034, 778, 13
_OPEN_READONLY, _OPEN_READWRITE_CREATE = 1, 2 | 4
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


class DiskOperation(NamedTuple):
    """An operation on a file: `kind` is write, truncate, sync, delete or create; `bytes` were written at `at`."""

    kind: str
    path: str
    at: int = 0
    bytes: bytes = b""


class Disk:
    """The operations in order, and the faults: `fail(kind, path)` returns an SQLite error code, or 0 for no error.

    While `is_read_only`, writes fail and files are opened for reading only, as after an emergency remount of Linux.
    """

    def __init__(self) -> None:
        self.operations: list[DiskOperation] = []
        self.fail: Callable[[str, str], int] = lambda kind, path: IOERR_WRITE if self.is_read_only else 0
        self.is_read_only = False

    def write_crash_image(self, upto: int, folder: Path, random: Random) -> None:
        """Write the files to `folder` as a power cut after the first `upto` operations would leave them."""
        files: dict[str, bytearray] = {}
        last_sync: dict[str, int] = {}
        for n, operation in enumerate(self.operations[:upto]):
            if operation.kind == "sync":
                last_sync[operation.path] = n
        for n, operation in enumerate(self.operations[:upto]):
            is_durable = n < last_sync.get(operation.path, -1) or operation.kind in ("create", "delete")
            if not is_durable and random.random() < 0.5:
                continue
            part = (
                len(operation.bytes)
                if is_durable or random.random() < 0.7
                else random.randrange(len(operation.bytes) + 1)
            )
            _apply(files, operation._replace(bytes=operation.bytes[:part]))
        for name, held in files.items():
            (folder / Path(name).name).write_bytes(held)


def _apply(files: dict[str, bytearray], operation: DiskOperation) -> None:
    if operation.kind == "create":
        files.setdefault(operation.path, bytearray())
    elif operation.kind == "delete":
        files.pop(operation.path, None)
    elif operation.kind == "truncate":
        del files[operation.path][operation.at :]
    elif operation.kind == "write":
        held = files[operation.path]
        held.extend(bytes(max(0, operation.at - len(held))))
        held[operation.at : operation.at + len(operation.bytes)] = operation.bytes


@contextmanager
def record_disk() -> Iterator[Disk]:
    """Record and control the files that SQLite opens in this process from now on."""
    library = c.CDLL("libsqlite3.so.0")
    library.sqlite3_libversion.restype = _TEXT
    assert library.sqlite3_libversion().decode() == sqlite3.sqlite_version, "not the SQLite that Python uses"
    library.sqlite3_vfs_find.restype = c.c_void_p
    library.sqlite3_vfs_find.argtypes = [_TEXT]
    library.sqlite3_vfs_register.argtypes = [c.c_void_p, c.c_int]
    library.sqlite3_vfs_unregister.argtypes = [c.c_void_p]
    own = library.sqlite3_vfs_find(None)
    system, disk = _Vfs.from_address(own), Disk()
    wrapper, references = _wrap_vfs(system, own, disk)
    assert library.sqlite3_vfs_register(c.byref(wrapper), 1) == 0
    try:
        yield disk
    finally:
        library.sqlite3_vfs_unregister(c.byref(wrapper))
        _REFERENCES.append(references)


_REFERENCES: list[object] = []
"""Callbacks that must stay alive, because a connection that is closed late still calls them."""


def _wrap_vfs(system: _Vfs, own: int, disk: Disk) -> tuple[_Vfs, list[object]]:
    references: list[object] = []
    names: dict[int, str] = {}
    open_, delete_ = _OPEN(system.open), _DELETE(system.delete)

    def on_open(_: int, name: int | None, file: int, flags: int, out: object) -> int:
        if disk.is_read_only:
            flags = flags & ~_OPEN_READWRITE_CREATE | _OPEN_READONLY
        code = open_(own, name, file, flags, out)  # the name as it is: SQLite keeps the pointer
        place = c.c_void_p.from_address(file)
        if code or not name or not place.value:
            return code
        path = names[file] = c.string_at(name).decode()
        disk.operations.append(DiskOperation("create", path))
        methods = _Methods.from_buffer_copy(_Methods.from_address(place.value))
        write, truncate, sync = _WRITE(methods.write), _TRUNCATE(methods.truncate), _SYNC(methods.sync)

        def on_write(at_file: int, held: int, size: int, at: int) -> int:
            if failed := disk.fail("write", names[at_file]):
                return failed
            disk.operations.append(DiskOperation("write", names[at_file], at, c.string_at(held, size)))
            return write(at_file, held, size, at)

        def on_truncate(at_file: int, size: int) -> int:
            disk.operations.append(DiskOperation("truncate", names[at_file], size))
            return truncate(at_file, size)

        def on_sync(at_file: int, flags: int) -> int:
            if failed := disk.fail("sync", names[at_file]):
                return failed
            disk.operations.append(DiskOperation("sync", names[at_file]))
            return sync(at_file, flags)

        calls = _WRITE(on_write), _TRUNCATE(on_truncate), _SYNC(on_sync)
        methods.write, methods.truncate, methods.sync = (c.cast(each, c.c_void_p).value for each in calls)
        references.extend((methods, *calls))
        place.value = c.addressof(methods)
        return code

    def on_delete(_: int, name: bytes, sync: int) -> int:
        disk.operations.append(DiskOperation("delete", name.decode()))
        return delete_(own, name, sync)

    wrapper = _Vfs.from_buffer_copy(system)
    calls = _OPEN(on_open), _DELETE(on_delete)
    wrapper.name, wrapper.next = b"watched", None
    wrapper.open, wrapper.delete = (c.cast(each, c.c_void_p).value for each in calls)
    references += [wrapper, *calls]
    return wrapper, references
