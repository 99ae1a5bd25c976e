"""The workshop, and the page that connects the table to a Wi-Fi."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.browser.stage import WIFI
from tests.browser.test_controls import posted

TOLD = "document.querySelector('.tail').textContent.includes('The reader is gone.')"


@pytest.fixture
def page(stage, phone):
    phone.page.goto(stage.url + "/workshop")
    phone.wait_until(TOLD, True)
    return phone.page


def test_the_log_is_shown(page, phone):
    assert "warning The reader is gone." in page.locator(".tail").inner_text()
    assert phone.complaints == []


def test_setting_is_changed_or_refused(page, stage, phone):
    page.locator("input[name=quiet_ms]").fill("350")
    page.locator("[data-set=quiet_ms]").tap()
    assert posted(stage, phone) == [("settings", {"quiet_ms": 350})]
    stage.refusal = "The setting quiet_ms is from 50 to 5000."
    page.locator("[data-usual=quiet_ms]").tap()
    phone.wait_for_text(".settings [role=alert]", stage.refusal)
    assert stage.posts[-1] == ("settings", {"quiet_ms": 400})


def test_it_read_me_wrong_is_one_tap(page):
    with page.expect_download() as kept:
        page.locator("[data-recording]").tap()
    assert Path(kept.value.path()).read_text(encoding="utf-8") == '{"ms":0}\n'


def test_a_table_without_devices_says_none(stage, phone):
    none = {name: {"url": "none:", "ok": True, "say": ""} for name in ("sensors", "lights", "cards", "buttons")}
    stage.show(devices=none)
    phone.page.goto(stage.url + "/workshop")
    phone.wait_until(TOLD, True)
    assert phone.visible_texts("td[data-device]") == ["none"] * 4 + ["OK"]


def test_watcher_sees_devices_and_changes_nothing(stage, phone):
    stage.role = "watcher"
    phone.page.goto(stage.url + "/workshop")
    phone.wait_for_count("td[data-device]", 5)
    assert phone.visible_texts("main button") + phone.visible_texts("[data-recording]") == []
    assert phone.complaints == []


def test_camera_spot_is_shown_with_its_card(stage, phone):
    spot = {
        "size": [64, 48], "cards": [{"card": "5D", "corners": [[8, 8], [24, 8], [24, 40], [8, 40]], "sure": 0.99}],
        "unsure": [{"corners": [[32, 8], [48, 8], [48, 40], [32, 40]], "likely": ["3H", "8H"]}], "brightest": 0.999,
    }  # fmt: skip
    data = cv2.imencode(".jpg", np.full((48, 64, 3), 200, np.uint8))[1].tobytes()
    answers = [(200, data, {"Content-Type": "image/jpeg", "Spot": json.dumps(spot)})]
    phone.page.route(
        "**/api/workshop/cameras/0*",
        lambda route: route.fulfill(status=answers[0][0], body=answers[0][1], headers=answers[0][2]),
    )
    stage.workshop = stage.workshop | {"cameras": 1}
    phone.page.goto(stage.url + "/workshop")

    phone.wait_for_text(
        "[data-spot-read]",
        "Read: 5 of diamonds. Unsure: 3 of hearts, 8 of hearts.",
    )
    assert phone.page.locator(".cameras polygon").count() == 2
    assert "Too bright" in phone.page.locator("[data-spot-light]").inner_text()
    assert phone.page.evaluate("document.querySelector('.cameras canvas').width") == 64
    answers[0] = (409, b'{"error":"The camera has not sent a picture yet."}', {"Content-Type": "application/json"})
    phone.wait_for_text("[data-spot-read]", "The camera has not sent a picture yet.")
    assert not phone.page.locator(".cameras canvas").is_visible()


@pytest.mark.parametrize("look", [(320, 568, "light", "?lang=de"), (1280, 800, "dark", "")])
def test_the_page_fits_finger_and_eye(stage, phones, look):
    width, height, scheme, query = look
    phone = phones(width, height, color_scheme=scheme)
    page = phone.page
    page.goto(f"{stage.url}/wifi{query}")
    phone.wait_for_count("[data-network]", 2)
    assert phone.find_faults() == []
    assert phone.complaints == []


def test_a_network_is_chosen_and_joined(stage, phone):
    page = phone.page
    page.goto(stage.url + "/wifi")
    page.locator("[data-network=Home]").tap()
    page.locator("[name=password]").fill("home password")
    page.locator("form button").tap()
    phone.wait_until("document.querySelector('[data-phase]').textContent.startsWith('The table joins Home.')", True)
    assert stage.posts == [("wifi", {"network": "Home", "password": "home password"})]
    stage.wifi = WIFI | {"problem": "Home could not be joined. Check the password."}
    phone.wait_for_text("[data-problem]", stage.wifi["problem"])
    assert page.locator("[data-phase]").inner_text() == "The table knows no network here. Choose yours."


def test_label_is_for_those_who_may_know(stage, phone):
    page = phone.page
    page.goto(stage.url + "/wifi")
    phone.wait_for_count("[data-own-network] img", 1)
    assert "k7m2x9qrt4wz" in page.locator("[data-own-network]").inner_text()
    stage.wifi = WIFI | {"hotspot": None, "phase": "connected"}
    phone.wait_for_text("[data-own-network]", "")


@pytest.mark.parametrize("path", ["/", "/tv"])
def test_display_says_how_to_reach_the_table(stage, phone, path):
    say = "No known Wi-Fi. Join Cribbage-ab12 with the password k7m2x9qrt4wz, then open http://10.42.0.1:8123/wifi."
    devices = stage.snapshot["devices"]
    stage.show(devices=devices | {"wifi": {"url": "", "ok": False, "say": say}})
    phone.page.goto(stage.url + path)
    phone.wait_for_text("[data-kind=fault]", say)
    assert phone.page.get_by_text("k7m2x9qrt4wz").count() == 1
    stage.show(devices=devices | {"wifi": {"url": "", "ok": True, "say": ""}})
    phone.wait_for_count("[data-kind=fault]", 0)
