"""The course of the lesson: its deals, the ideas it explains and its texts. Data only.

The first deals prescribe the cards, so that each idea occurs in its place. Later deals are free; their hints are short.
"""

from collections.abc import Mapping
from typing import NamedTuple

from companion.i18n import gettext_noop


class Idea(NamedTuple):
    """A word of cribbage and its explanation, shown where the word first occurs."""

    word: str
    say: str


class Prompt(NamedTuple):
    """What the learner is asked. `again` meets any other legal answer than `wanted`; without `wanted` all are right."""

    say: str
    wanted: str = ""
    again: str = ""


class LessonDeal(NamedTuple):
    """The cards of a deal, and the texts where it prescribes the learner's cards.

    `learner`: the six cards dealt. `kept` and `discarded`: the companion's cards. `plays`: the learner's turns, and
    `replies` the companion's cards in their order; where they end, the learner is free and the coach plays.
    `openings`: pages before the discard, by the keys of their ideas. `counts`: the questions for the learner's hand,
    the companion's hand and the crib.
    """

    learner: str
    kept: str
    discarded: str
    starter: str
    discard: Prompt | None = None
    plays: tuple[Prompt, ...] = ()
    replies: str = ""
    openings: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()


class MeaningQuestion(NamedTuple):
    """A question at the end of the lesson: the first of `answers` is right."""

    say: str
    answers: tuple[str, str, str]


IDEAS: Mapping[str, Idea] = {
    "race": Idea(
        gettext_noop("Welcome"),
        gettext_noop(
            "Cribbage is a race for two: whoever reaches 61 points first wins. You will play a real game against the "
            "companion. Every new word is explained. You can close this page at any time; this phone remembers where "
            "you were."
        ),
    ),
    "dealer": Idea(
        gettext_noop("The deal"),
        gettext_noop(
            "The dealer gives six cards to each player. The companion deals first; after that you take turns. These "
            "are your cards. An ace counts 1, and jack (J), queen (Q) and king (K) count 10 each. All other cards "
            "count their number."
        ),
    ),
    "crib": Idea(
        gettext_noop("The crib"),
        gettext_noop(
            "Each player puts two cards away, face down. These four cards are the crib: an extra hand that is turned "
            "up at the end. Its points go to the dealer."
        ),
    ),
    "own crib": Idea(
        gettext_noop("Your crib"),
        gettext_noop("Now you are the dealer: the crib is yours, and the companion plays the first card."),
    ),
    "starter": Idea(
        gettext_noop("The starter"),
        gettext_noop(
            "One card is turned up from the pack: the starter. Nobody plays it. At the end it counts as a fifth card "
            "of your hand, of the companion's hand and of the crib."
        ),
    ),
    "count": Idea(
        gettext_noop("The play"),
        gettext_noop(
            "Now you play your four cards one by one, in turns. The player who is not the dealer begins. All cards "
            "played are added up: this is the count. It must never go above 31."
        ),
    ),
    "fifteen": Idea(
        gettext_noop("Fifteen"),
        gettext_noop(
            "Cards that add up to exactly 15 score 2 points. In the play, the points go to the player whose card "
            "makes the count 15. Players say “fifteen two”."
        ),
    ),
    "pair": Idea(
        gettext_noop("A pair"),
        gettext_noop(
            "Two cards of the same rank, such as two 7s, are a pair: 2 points. In the play, they must follow each "
            "other."
        ),
    ),
    "three alike": Idea(
        gettext_noop("Three of a kind"),
        gettext_noop("Three cards of the same rank in a row score 6 points, because they contain three pairs."),
    ),
    "four alike": Idea(
        gettext_noop("Four of a kind"),
        gettext_noop("Four cards of the same rank in a row score 12 points, because they contain six pairs."),
    ),
    "run": Idea(
        gettext_noop("A run"),
        gettext_noop(
            "Three or more cards that follow each other are a run, such as 6, 7, 8. Their order and their suits "
            "(clubs, diamonds, hearts, spades) do not matter. A run scores 1 point for each of its cards."
        ),
    ),
    "peg": Idea(
        gettext_noop("Pegs"),
        gettext_noop(
            "Points are kept with pegs in a row of holes. Each player has two; yours are red here. To score, lift the"
            " back peg and put it in front of the other one, one hole further on for each point. The peg in front "
            "shows your score, the peg behind what you had before."
        ),
    ),
    "go": Idea(
        gettext_noop("Go"),
        gettext_noop(
            "“Go” means: I cannot play without going above 31. You say it only if none of your cards fits. The other "
            "player then plays on alone, as long as a card fits."
        ),
    ),
    "last card": Idea(
        gettext_noop("The last card"),
        gettext_noop(
            "When nobody can play any more, the player of the last card scores 1 point. Then a new count begins at 0,"
            " with a card of the other player."
        ),
    ),
    "thirty-one": Idea(
        gettext_noop("Thirty-one"),
        gettext_noop(
            "A card that makes the count exactly 31 scores 2 points instead of the 1 for the last card. After it, a "
            "new count begins at 0."
        ),
    ),
    "show": Idea(
        gettext_noop("Counting the hands"),
        gettext_noop(
            "All cards are played. Now each player takes back their four cards and counts them together with the "
            "starter. The player who is not the dealer counts first, then the dealer, and at last the dealer counts "
            "the crib."
        ),
    ),
    "his nobs": Idea(
        gettext_noop("Nobs"),
        gettext_noop(
            "The jack in your hand or in the crib that has the same suit as the starter is called his nobs, or just "
            "nobs. It scores 1 point."
        ),
    ),
    "his heels": Idea(
        gettext_noop("His heels"),
        gettext_noop("If the starter itself is a jack, it is called his heels: the dealer scores 2 points at once."),
    ),
    "flush": Idea(
        gettext_noop("A flush"),
        gettext_noop(
            "If all four cards of a hand have the same suit, they are a flush: 4 points, or 5 with the starter. In "
            "the crib all five cards must have the same suit."
        ),
    ),
}
"""The ideas by key. The keys of scoring reasons are those of the rules (`Award.reason`)."""

DEALS = (
    LessonDeal(
        learner="7H8C8DJS3HKC",
        kept="7S4DACKD",
        discarded="6CTS",
        starter="2C",
        openings=("dealer",),
        discard=Prompt(
            gettext_noop(
                "Keep cards that will score: a 7 and an 8 add up to 15, and two 8s are a pair. The crib is the "
                "companion's this time, so give it nothing good. Choose the 3 of hearts and the king of clubs."
            ),
            "3HKC",
            gettext_noop("The rules allow that. But in this first deal, choose the 3 of hearts and the king of clubs."),
        ),
        plays=(
            Prompt(
                gettext_noop("You begin. Play the 8 of clubs: the count will be 8."),
                "8C",
                gettext_noop("The rules allow that. But in this first deal, begin with the 8 of clubs."),
            ),
            Prompt(
                gettext_noop("The companion's last card was a 7. Which of your cards makes a pair with it?"),
                "7H",
                gettext_noop("The rules allow that. But look again: your 7 of hearts makes a pair."),
            ),
            Prompt(
                gettext_noop(
                    "The count is 26. Your 8 would make it 34, your jack 36: both go above 31. So you have no choice:"
                    " say go."
                ),
                "go",
            ),
            Prompt(gettext_noop("You begin the new count, because the companion played last. Play any card.")),
            Prompt(gettext_noop("Play your last card.")),
        ),
        replies="7S4DACKD",
        counts=(
            gettext_noop(
                "What is your hand worth, with the starter? Look for all groups of cards that add up to 15, each 2 "
                "points, and for pairs, also 2 points. A card may be used more than once."
            ),
            gettext_noop("And what is the companion's hand worth? Look again for fifteens and pairs."),
            gettext_noop(
                "The crib is turned up: your two cards and the companion's two. What does the dealer get for it?"
            ),
        ),
    ),
    LessonDeal(
        learner="4C5H6SJD2H2S",
        kept="7S8CAHQC",
        discarded="3DKH",
        starter="9D",
        openings=("own crib",),
        discard=Prompt(
            gettext_noop(
                "This time, put something good into the crib: a pair would be a start. Keep the jack and 4, 5 and 6; "
                "you will see what they score. Which two cards go to the crib?"
            ),
            "2H2S",
            gettext_noop("The rules allow that. But look again: the two 2s are a pair. Put them into your crib."),
        ),
        plays=(
            Prompt(
                gettext_noop("The companion has begun with a 7. Play the 6 of spades: the count will be 13."),
                "6S",
                gettext_noop("The rules allow that. But for what comes next, play the 6 of spades."),
            ),
            Prompt(
                gettext_noop("7, 6 and 8 are on the table. Which of your cards makes it a run of four?"),
                "5H",
                gettext_noop(
                    "The rules allow that. But look again: the 5 of hearts makes 5, 6, 7, 8, which is 4 points."
                ),
            ),
            Prompt(
                gettext_noop("The count is 27. Which of your cards makes it exactly 31?"),
                "4C",
            ),
            Prompt(gettext_noop("Play your last card.")),
        ),
        replies="7S8CAHQC",
        counts=(
            gettext_noop(
                "What is your hand worth? Count fifteens, pairs and runs, and then look for nobs: a jack of the same "
                "suit as the starter, 1 point."
            ),
            gettext_noop(
                "The companion is not the dealer and counts first. What is its hand worth? Count fifteens, pairs and "
                "runs."
            ),
            gettext_noop("Now your crib. What is it worth?"),
        ),
    ),
    LessonDeal("2D5S6D9HJCKD", "AS3D6H8S", "TSQD", "JH"),
    LessonDeal("3H8H9H9STCTH", "AS5DQHKD", "3D8C", "6D"),
    LessonDeal("2H6S7H9HQHKH", "4C4D7DJS", "5HTH", "3C"),
    LessonDeal("5D6C6D8C9DKH", "2S5C5HKD", "4D7C", "9H"),
    LessonDeal("6D6S8H9DTCKH", "5CJDQSKS", "8CTS", "9H"),
    LessonDeal("AC4D5C6C8HTH", "3D3H4C8C", "ADJC", "3C"),
)
"""The deals of the game. The companion is the first dealer. After the last one the free deals come again."""

FIRST_FREE_DEAL = 2
"""Index of the first deal without prescribed cards."""

FREE_DISCARDS = (
    gettext_noop(
        "The companion deals. Choose two cards for its crib. Keep fifteens, pairs, runs or four cards of one suit."
    ),
    gettext_noop("You deal, so the crib is yours. Choose two cards for it."),
)
"""The question for the discard in a free deal: the companion is the dealer, or the learner."""

FREE_PLAY = gettext_noop("Play any card that fits. Try to make 15, 31, a pair or a run.")
"""The question in the play of the first free deal."""

FREE_PLAY_SHORT = gettext_noop("Your turn.")
"""The question in the play of later deals."""

FREE_GO = gettext_noop("None of your cards fits: say go.")
"""The question in a free deal when the learner must say go."""

FREE_COUNTS = (
    gettext_noop("What is your hand worth?"),
    "",
    gettext_noop("What is your crib worth?"),
)
"""The questions for the learner's hand and crib in a free deal."""

COMPANION_COUNTS = (gettext_noop("The companion counts its hand."), gettext_noop("The companion counts its crib."))
"""The texts for the companion's hand and crib in a free deal."""

FIRST_PEGGING = (
    gettext_noop(
        "Both your pegs are still at the start, and you score {points}. In which hole do you put one of them?"
    ),
    gettext_noop("Not there: count {points} holes from the start."),
)
"""The question where the learner's first peg goes, and the help after a wrong hole."""

PEGGING = (
    gettext_noop("Your front peg is in hole {front}, and you score {points}. In which hole do you put your back peg?"),
    gettext_noop("Not there: count {points} on from hole {front}."),
)
"""The question where the learner's back peg goes, and the help after a wrong hole."""

PEGGING_QUESTIONS = 2
"""How often the learner is asked where the peg goes. After that the pegs move by themselves."""

PEGS_MOVE = gettext_noop("From now on the pegs move by themselves.")

MEANINGS = (
    MeaningQuestion(
        gettext_noop("Three questions to finish: what does “go” mean?"),
        (
            gettext_noop("I cannot play a card without going above 31."),
            gettext_noop("I do not want to play a card now."),
            gettext_noop("It is your deal."),
        ),
    ),
    MeaningQuestion(
        gettext_noop("What is the crib?"),
        (
            gettext_noop("Four cards that both players put away: an extra hand for the dealer."),
            gettext_noop("The card that is turned up before the play."),
            gettext_noop("The pack that is left after the deal."),
        ),
    ),
    MeaningQuestion(
        gettext_noop("What is nobs?"),
        (
            gettext_noop("The jack of the starter's suit in a hand or in the crib: 1 point."),
            gettext_noop("A jack turned up as the starter: 2 points."),
            gettext_noop("Four cards of the same suit: 4 points."),
        ),
    ),
)
"""The questions after the game."""

MEANING_AGAIN = gettext_noop("Not quite. Look it up under “Words so far” and try again.")
