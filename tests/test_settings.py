"""Each setting is validated, and a message for an unknown one suggests the nearest."""

import json

import pytest

from companion import settings
from companion.common.errors import SettingsError
from companion.settings import Settings, apply_values, parse_pairs, read_settings


def test_the_command_line_goes_over_the_file(tmp_path):
    path = tmp_path / "companion.toml"
    path.write_text('quiet_ms = 300\nsensors = "serial:/dev/ttyACM0"\n')
    told = apply_values(read_settings(path), parse_pairs(["quiet_ms=250"], "A setting"))
    assert (told.quiet_ms, told.sensors) == (250, "serial:/dev/ttyACM0")


@pytest.mark.parametrize(("pairs", "words"), [
    (["quiet=400"], "quiet_ms"), (["quiet_ms=19"], "20 to 5000"), (["quiet_ms=fast"], "whole number"),
    (["quiet_ms"], "KEY=VALUE"),
])  # fmt: skip
def test_what_is_wrong_is_named(pairs, words):
    with pytest.raises(SettingsError, match=words):
        apply_values(Settings(), parse_pairs(pairs, "A setting"))


def test_a_truth_is_no_number():
    with pytest.raises(SettingsError):
        apply_values(Settings(), {"quiet_ms": True})


def test_a_broken_file_is_named(tmp_path):
    path = tmp_path / "companion.toml"
    for held in (b"quiet_ms = = 3", b"\xff", b"quite_ms = 3", b"quiet_ms = true"):
        path.write_bytes(held)
        with pytest.raises(SettingsError, match=r"companion\.toml.*\.$"):
            read_settings(path)


def test_an_unreadable_file_is_named_once(tmp_path):
    with pytest.raises(SettingsError) as refused:
        read_settings(tmp_path)
    assert str(refused.value).count(str(tmp_path)) == 1


def test_a_pi_has_no_device_until_named(tmp_path, monkeypatch):
    model, path = tmp_path / "model", tmp_path / "companion.toml"
    monkeypatch.setattr(settings, "MODEL_PATH", model)
    assert settings.default_settings() == Settings()
    model.write_bytes(b"Some Other Board\0")
    assert settings.default_settings() == Settings()
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.5\0")
    usual = settings.default_settings()
    assert {usual.sensors, usual.lights, usual.cards, usual.buttons} == {"none:"}
    path.write_text('sensors = "serial:/dev/ttyACM0"\n')
    assert (read_settings(path, usual).sensors, read_settings(path, usual).lights) == ("serial:/dev/ttyACM0", "none:")


def test_reporting_has_its_own_table(tmp_path):
    path = tmp_path / "companion.toml"
    brokers = ["mqtts://a.example", "mqtts://b.example:8884"]
    path.write_text(f'quiet_ms = 300\n[report]\nbrokers = {json.dumps(brokers)}\nclub = "north"\n')
    kept = read_settings(path)
    told = apply_values(kept, parse_pairs(["report.club=south", "report.brokers=mqtt://127.0.0.1"], "A setting"))
    assert (kept.quiet_ms, kept.section("report").brokers) == (300, ("mqtts://a.example", "mqtts://b.example:8884"))
    assert (told.section("report").club, told.section("report").brokers) == ("south", ("mqtt://127.0.0.1",))
    assert Settings().section("report").brokers == ()


@pytest.mark.parametrize(("given", "words"), [
    ({"report.boord": "a"}, "report.boord.*board"), ({"report": {"boord": "a"}}, "report.boord.*board"),
    ({"report": "on"}, "report.*a table"), ({"report.board": "no blanks"}, "report.board.*letters"),
    ({"report.brokers": 3}, "report.brokers.*list"), ({"report.club.name": "a"}, "report.club.name"),
    ({"quiet_ms.report": 3}, "quiet_ms.report"), ({"report.without_tls": "yes"}, "off, on"),
])  # fmt: skip
def test_a_fault_in_a_table_names_it(given, words):
    with pytest.raises(SettingsError, match=words):
        apply_values(Settings(), given)
