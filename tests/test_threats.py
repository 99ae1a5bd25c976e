"""docs/explanation/threats.md promises nothing that is not tested: each sentence names its tests here."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

NOT_A_PROMISE = "-"

TESTS = {
    "Other pages": [
        "test_a_foreign_or_null_origin_changes_nothing test_of_several_faults_the_first_in_order_is_answered "
        "test_who_opens_the_join_link_is_a_player_for_a_year",
        "test_to_any_other_name_it_does_not_answer_at_all",
    ],
    "Guessing the key": [
        "test_the_key_is_made_once_and_kept_for_its_owner_alone "
        "test_twenty_wrong_keys_over_the_network_take_their_time "
        "test_wrong_keys_from_a_third_address_are_delayed_while_two_others_wait",
    ],
    "A lost or borrowed phone": [
        "test_a_phone_that_is_ended_is_a_watchers_and_no_other_is",
        "test_phones_are_known_after_a_restart_and_their_values_are_in_no_file",
    ],
    "Injected scripts": [
        "test_pages_have_a_content_security_policy_and_send_no_referrer",
        "test_names_like_elements_are_texts_on_every_page test_a_wrong_file_is_refused_in_a_sentence "
        "test_what_is_wrong_is_one_sentence_and_everything_else_goes_on",
    ],
    "Slow clients and many connections": [
        "test_two_thousand_slow_connections_from_one_address_delay_no_other "
        "test_a_client_that_stops_reading_its_encrypted_answer_is_hung_up_on",
        "test_a_client_counts_by_its_address_and_its_network test_one_network_has_no_more_connections_than_its_limit "
        "test_addresses_of_one_network_share_its_threads_and_take_turns_with_other_networks "
        "test_the_streams_of_one_network_leave_some_for_others",
        "test_a_connection_does_not_wait_behind_a_flood_of_another_client",
        "test_handshakes_that_never_end_keep_nobody_waiting_and_are_given_up",
    ],
    "Photographs": [
        "test_a_watcher_may_not_ask test_watchers_cannot_take_the_places_of_photographs",
        "test_a_jpeg_has_a_bounded_number_of_scans test_what_must_be_held_in_full_may_have_fewer_pixels "
        "test_a_png_chunk_longer_than_the_file_is_refused",
        "test_a_picture_of_many_rectangles_takes_no_more_comparisons_than_candidates_allow "
        "test_no_larger_picture_is_searched_than_the_limit_and_labels_in_one_are_found",
        "test_phones_of_one_address_do_not_wait_for_its_photographs",
    ],
    "Packs": [
        "test_each_is_found_by_what_lies_in_its_folder",
        "test_what_is_too_large_or_too_deep_is_refused_before_it_is_parsed test_a_translation_fills_in_bare_names_only",
        "test_a_link_out_of_the_folder_is_not_followed test_a_board_file_names_no_file_of_another_folder",
        "test_what_changes_after_the_start_is_not_served",
        NOT_A_PROMISE,
        "test_faults_of_packs_are_shown_unless_safe",
    ],
    "The broker of a remote game": [
        "test_a_message_is_read_by_the_other_alone test_every_changed_byte_is_noticed",
        "test_the_broker_sees_no_card_no_name_no_move_and_no_secret",
        "test_a_message_that_is_not_the_newest_of_the_other_table_is_refused "
        "test_an_old_message_is_refused_also_after_a_restart test_a_board_with_another_invitation_is_not_heard",
        "test_of_a_huge_message_only_the_beginning_is_kept",
    ],
    "The other table of a remote game": [
        "test_the_host_cannot_play_for_the_guest test_a_dealer_who_chooses_cards_is_reported_at_the_end "
        "test_a_discard_cannot_be_changed_after_the_cut",
        "test_a_discard_cannot_be_changed_in_a_game_that_ends_before_the_crib",
        "test_the_report_of_a_false_deal_stays_whatever_else_the_other_table_causes "
        "test_a_seed_that_is_missing_at_the_end_of_a_game_is_reported",
        "test_corrections_of_the_other_table_are_shown",
    ],
    "The table's own Wi-Fi": [
        "test_a_table_has_the_page_only_with_the_setting test_the_own_network_opens_with_wpa2_and_is_gone_when_closed "
        "test_names_and_passwords_are_those_of_wifi test_a_minute_without_a_known_network_opens_the_own_one "
        "test_a_network_that_comes_back_within_the_minute_opens_nothing",
        "test_a_foreign_page_cannot_choose_even_then",
        "test_the_service_may_use_the_wifi_with_its_extra_and_nothing_else_of_the_system",
        "test_a_sender_that_pretends_many_networks_and_odd_names_fills_nothing",
    ],
    "Invalid input": ["test_two_thousand_junk_requests_leave_everything_as_it_was"],
    "A board of a club": [
        "test_a_state_with_an_invalid_field_is_refused_and_the_page_stays "
        "test_a_move_with_an_invalid_field_is_refused_and_the_page_stays "
        "test_a_bug_in_the_use_of_a_message_costs_that_message_alone",
        "test_a_board_writes_below_its_own_name_alone_and_reads_its_own_upto "
        "test_a_game_at_a_board_that_is_not_in_the_event_decides_nothing",
        "test_a_board_of_a_league_cannot_read_what_others_write",
    ],
    "A club's PostgreSQL server": [
        "test_a_server_that_stops_answering_keeps_nobody_waiting_for_long test_a_store_that_is_away_loses_nothing",
        "test_what_one_kind_of_database_cannot_store_both_refuse_and_go_on",
    ],
    "A receiver of webhooks": [
        "test_a_redirect_is_not_followed_and_the_message_not_sent_again "
        "test_an_exchange_ends_in_time_however_steadily_bytes_come "
        "test_little_of_an_answer_is_kept_however_it_states_its_length "
        "test_receivers_that_answer_a_byte_at_a_time_or_nothing_delay_no_other",
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
