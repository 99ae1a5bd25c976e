"""docs/explanation/threats.md promises nothing that is not tested: each sentence names its tests here."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

NOT_A_PROMISE = "-"

TESTS = {
    "Other pages": [
        "test_a_foreign_or_null_origin_changes_nothing test_the_first_of_several_faults_is_answered "
        "test_the_join_link_makes_a_lasting_player",
        "test_other_names_get_no_answer",
    ],
    "Guessing the key": [
        "test_the_key_is_made_once_and_private "
        "test_twenty_wrong_keys_take_their_time "
        "test_a_third_address_is_delayed_too",
    ],
    "A lost or borrowed phone": [
        "test_an_ended_phone_becomes_a_watchers",
        "test_phones_are_known_after_a_restart",
    ],
    "Injected scripts": [
        "test_pages_have_a_security_policy_and_no_referrer",
        "test_names_like_elements_are_texts_on_every_page test_a_wrong_file_is_refused_in_a_sentence "
        "test_a_faulty_file_is_one_sentence",
    ],
    "Slow clients and many connections": [
        "test_two_thousand_slow_connections_delay_no_other test_a_client_that_stops_reading_tls_is_dropped",
        "test_a_client_counts_by_address_and_network test_one_network_has_limited_connections "
        "test_addresses_of_one_network_share_its_threads "
        "test_one_network_leaves_streams_for_others",
        "test_a_flood_does_not_delay_another_client",
        "test_endless_handshakes_are_given_up",
    ],
    "Photographs": [
        "test_a_watcher_may_not_ask test_watchers_cannot_take_the_places_of_photographs",
        "test_a_jpeg_has_a_bounded_number_of_scans test_what_must_be_held_in_full_may_have_fewer_pixels "
        "test_a_png_chunk_longer_than_the_file_is_refused",
        "test_a_picture_of_many_rectangles_takes_no_more_comparisons_than_candidates_allow "
        "test_no_larger_picture_is_searched_than_the_limit_and_labels_in_one_are_found",
        "test_photographs_delay_no_other_phone_of_an_address",
    ],
    "Packs": [
        "test_each_addon_is_found_by_its_files",
        "test_too_large_or_deep_toml_is_not_parsed test_a_translation_fills_in_bare_names_only",
        "test_a_link_out_of_the_folder_is_refused test_a_board_file_names_no_file_of_another_folder",
        "test_what_changes_after_the_start_is_not_served",
        NOT_A_PROMISE,
        "test_faults_of_packs_are_shown_unless_safe",
    ],
    "The broker of a remote game": [
        "test_a_message_is_read_by_the_other_alone test_every_changed_byte_is_noticed",
        "test_the_broker_sees_no_secret_of_the_game",
        "test_only_the_newest_message_is_taken "
        "test_an_old_message_is_refused_after_a_restart test_a_board_with_another_invitation_is_not_heard",
        "test_only_a_huge_messages_beginning_is_kept",
    ],
    "The other table of a remote game": [
        "test_the_host_cannot_play_for_the_guest test_a_dealer_who_chooses_cards_is_reported "
        "test_a_discard_cannot_be_changed_after_the_cut",
        "test_a_discard_cannot_change_before_an_early_end",
        "test_the_report_of_a_false_deal_stays test_a_missing_seed_at_the_end_is_reported",
        "test_corrections_of_the_other_table_are_shown",
    ],
    "The table's own Wi-Fi": [
        "test_a_table_has_the_page_only_if_set test_the_own_network_opens_with_wpa2 "
        "test_names_and_passwords_are_those_of_wifi test_the_own_network_opens_and_closes",
        "test_a_foreign_page_cannot_choose_even_then",
        "test_the_service_may_shut_down_and_use_wifi",
        "test_many_networks_and_odd_names_fill_nothing",
    ],
    "Invalid input": ["test_two_thousand_junk_requests_change_nothing"],
    "A board of a club": [
        "test_an_invalid_message_is_refused_and_pages_stay test_a_bug_costs_one_message_alone",
        "test_a_board_writes_its_own_topics_alone test_a_board_outside_the_event_decides_nothing",
        "test_a_league_board_cannot_read_the_others",
    ],
    "A club's PostgreSQL server": [
        "test_a_silent_server_is_not_waited_for_long test_a_store_that_is_away_loses_nothing",
        "test_both_databases_refuse_what_one_cannot_store",
    ],
    "A receiver of webhooks": [
        "test_a_redirect_is_not_followed "
        "test_an_exchange_ends_despite_a_steady_trickle "
        "test_only_an_answers_beginning_is_kept "
        "test_slow_and_silent_receivers_delay_no_other",
    ],
}
"""Names of tests for each sentence below *Defended*, by the bold words of its item."""


@pytest.fixture(scope="module")
def promises():
    """Return the sentences of each item below *Defended*."""
    page = (ROOT / "docs/explanation/threats.md").read_text("utf-8")
    (section,) = re.findall(r"^## Defended\n(.*?)^## ", page, re.M | re.S)
    found = {}
    for item in re.split(r"^- ", section, flags=re.M)[1:]:
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(item.split()))
        found[re.match(r"\*\*(.*?)\*\*", text)[1]] = re.split(r"(?<=\.) (?=[A-Z`])", text)
    return found


def test_each_promise_has_its_tests(promises):
    assert {name: len(sentences) for name, sentences in promises.items()} == {
        name: len(tests) for name, tests in TESTS.items()
    }


def test_each_test_of_a_promise_exists():
    known = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        if "node_modules" not in path.parts
        for name in re.findall(r"^def (test_\w+)\(", path.read_text("utf-8"), re.M)
    }
    named = {name for tests in TESTS.values() for names in tests for name in names.split()} - {NOT_A_PROMISE}
    assert named - known == set()
