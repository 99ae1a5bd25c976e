"""The deals of a duplicate night follow from a committed seed; players are compared with those of the same cards."""

from companion.club.tournament.duplicate import DuplicateResult, commit_seed, deal_duplicate, rank_duplicate


def test_a_deal_never_changes_and_the_commitment_is_its_hash():
    (first, second), starter = deal_duplicate("a seed", 1, 1)
    assert len({*first, *second, starter}) == 13
    assert deal_duplicate("a seed", 1, 1) == ((first, second), starter)
    others = [deal_duplicate(*each) for each in (("a seed", 1, 2), ("a seed", 2, 1), ("b seed", 1, 1))]
    assert ((first, second), starter) not in others
    assert " ".join(map(str, (*first, *second, starter))) == "2D 3S 9C TD JD KH 2S 7S 8C 8D 9S JH 2H"
    assert commit_seed("a seed") == "8f44d509e0492acec4fc109a030a5c751f063fb743cc388f0ed722bacc3bc66c"


def test_players_are_ranked_by_the_difference_to_the_mean_of_the_same_cards():
    results = [
        DuplicateResult(1, "Ann", "Bob", 30), DuplicateResult(1, "Cid", "Dot", 10),
        DuplicateResult(2, "Ann", "Dot", -5), DuplicateResult(2, "Cid", "Bob", -25),
    ]  # fmt: skip
    rows = rank_duplicate(results)
    assert [(row.rank, row.player, row.difference, row.games) for row in rows] == [
        (1, "Ann", 20.0, 2), (2, "Bob", 0.0, 2), (2, "Dot", 0.0, 2), (4, "Cid", -20.0, 2),
    ]  # fmt: skip
