"""The options of games, their values and the words for players: what several games share. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from companion.i18n import format_message


@dataclass(frozen=True, slots=True)
class Option(Sequence[str]):
    """The values of an option, the default first.

    :param name: its name for players, such as "Muggins".
    :param description: what it decides, in a sentence.
    :param value_names: the name of each value, by value.
    :param has_unclear_values: whether pages show the name of the option before that of the value, as in "Hints: off".
    """

    name: str
    description: str
    value_names: Mapping[str, str]
    has_unclear_values: bool = False

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return tuple(self.value_names)[index]

    def __len__(self) -> int:
        return len(self.value_names)


def target_option(*targets: str) -> Option:
    """Return the option `target` with these points, the default first."""
    names = {"121": format_message("to 121"), "61": format_message("to 61")}
    value_names = {target: names.get(target, target) for target in targets}
    return Option(format_message("Play to"), format_message("How many points win the game."), value_names)


COUNTING_OPTIONS = {
    "counting": Option(
        format_message("Counting"),
        format_message("The companion counts every card and hand, or the players count and peg for themselves."),
        {"auto": format_message("automatic counting"), "manual": format_message("the players count")},
    ),
    "muggins": Option(
        format_message("Muggins"),
        format_message("Whether you may take points that your opponent missed."),
        {"off": format_message("no muggins"), "on": format_message("muggins")},
    ),
    "overclaim": Option(
        format_message("Over-claims"),
        format_message("What the opponent gets when you claim too much: nothing, two points or the difference."),
        {
            "correct": format_message("corrected"),
            "two": format_message("opponent gets 2"),
            "excess": format_message("opponent gets the difference"),
        },
        has_unclear_values=True,
    ),
    "policy": Option(
        format_message("Penalties"),
        format_message(
            "In a tournament, reneging and falsely claiming the game cost points, and the companion rules on mistakes."
        ),
        {"friendly": format_message("friendly"), "tournament": format_message("tournament")},
    ),
}
"""The options of every game that supports manual counting."""

CRIBBAGE_OPTIONS = COUNTING_OPTIONS | {
    "first_deal": Option(
        format_message("Next dealer"),
        format_message("Who deals first in the next game of two players."),
        {"loser": format_message("loser"), "winner": format_message("winner")},
        has_unclear_values=True,
    ),
    "game_points": Option(
        format_message("Game, skunk, double skunk"),
        format_message("What a game, a skunk and a double skunk are worth."),
        {"1,2,4": format_message("1, 2, 4 games"), "2,3,3": format_message("2, 3, 3 games")},
        has_unclear_values=True,
    ),
    "hints": Option(
        format_message("Hints"),
        format_message("Whether you may ask the coach for hints and missed points during the game."),
        {"off": format_message("no hints"), "on": format_message("hints")},
    ),
}
"""The options of six-card and five-card cribbage besides `target`."""
