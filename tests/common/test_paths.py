"""Journal and settings are the user's own, also under sudo, and root owns nothing in the user's home."""

import pwd
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.common import paths


@pytest.fixture
def by_sudo(tmp_path, monkeypatch):
    """The home of Ann, who ran sudo. `rooted` lists root's files in it; chown gives them to her."""
    ann = SimpleNamespace(pw_dir=str(tmp_path), pw_uid=1234, pw_gid=1235)
    given = []
    monkeypatch.setattr(paths.os, "geteuid", lambda: 0)
    monkeypatch.setattr(pwd, "getpwnam", lambda name: {"ann": ann}[name])
    monkeypatch.setattr(paths.os, "chown", lambda path, *owner, follow_symlinks: given.append((path, owner)))
    monkeypatch.setenv("SUDO_USER", "ann")
    monkeypatch.setenv("HOME", "/root")
    return tmp_path, given


def owned_by(monkeypatch, uid):
    real = Path.lstat
    monkeypatch.setattr(Path, "lstat", lambda path: SimpleNamespace(st_uid=uid, st_mode=real(path).st_mode))


def test_files_under_sudo_are_the_users(by_sudo):
    home, _ = by_sudo
    assert paths.data_home() == home / ".local/share/companion"
    assert paths.config_home() == home / ".config/companion"


def test_without_sudo_and_for_root_alone_nothing_changes(by_sudo, monkeypatch):
    home, given = by_sudo
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    for user in ("root", "somebody whom the system does not know"):
        monkeypatch.setenv("SUDO_USER", user)
        assert paths.data_home() == Path("/root/.local/share/companion")
        paths.restore_owner(home)
    monkeypatch.delenv("SUDO_USER")
    assert paths.data_home() == Path("/root/.local/share/companion")
    assert given == []


def test_roots_files_in_the_home_become_the_users(by_sudo, monkeypatch):
    home, given = by_sudo
    folder = home / ".local/share/companion"
    folder.mkdir(parents=True)
    (folder / "journal.key").touch()
    owned_by(monkeypatch, 0)
    paths.restore_owner(folder)
    made = {home / ".local", home / ".local/share", folder, folder / "journal.key"}
    assert {path for path, _ in given} == made
    assert {owner for _, owner in given} == {(1234, 1235)}


def test_others_files_are_left_alone(by_sudo, monkeypatch, tmp_path_factory):
    home, given = by_sudo
    owned_by(monkeypatch, 0)
    paths.restore_owner(home)
    paths.restore_owner(tmp_path_factory.mktemp("elsewhere"))
    (home / "mine").mkdir()
    owned_by(monkeypatch, 77)
    paths.restore_owner(home / "mine")
    assert given == []
