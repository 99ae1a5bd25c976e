"""The Wi-Fi page: a network is chosen by touch, and the label says what the table's own network is."""

import pytest

from tests.browser.stage import WIFI


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


def test_the_label_is_for_those_who_may_know_it(stage, phone):
    page = phone.page
    page.goto(stage.url + "/wifi")
    phone.wait_for_count("[data-own-network] img", 1)
    assert "k7m2x9qrt4wz" in page.locator("[data-own-network]").inner_text()
    stage.wifi = WIFI | {"hotspot": None, "phase": "connected"}
    phone.wait_for_text("[data-own-network]", "")


@pytest.mark.parametrize("path", ["/", "/tv"])
def test_the_display_says_how_to_reach_the_table_until_it_is_connected(stage, phone, path):
    say = "No known Wi-Fi. Join Cribbage-ab12 with the password k7m2x9qrt4wz, then open http://10.42.0.1:8123/wifi."
    devices = stage.snapshot["devices"]
    stage.show(devices=devices | {"wifi": {"url": "", "ok": False, "say": say}})
    phone.page.goto(stage.url + path)
    phone.wait_for_text("[data-kind=fault]", say)
    assert phone.page.get_by_text("k7m2x9qrt4wz").count() == 1
    stage.show(devices=devices | {"wifi": {"url": "", "ok": True, "say": ""}})
    phone.wait_for_count("[data-kind=fault]", 0)
