"""A tournament on paper, by reportlab: pairings, cards, standings and bracket, so that it goes on without power."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from io import BytesIO
from itertools import zip_longest
from typing import Any
from xml.sax.saxutils import escape

from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.shapes import Drawing
from reportlab.lib.colors import black, grey
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics, ttfonts
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table

from companion.i18n import format_message, gettext_noop
from companion.i18n.catalog import MessageCatalog
from companion.plugins.club.pairing import LEFT_ROUND
from companion.plugins.club.tournament.draw import DrawnGame, find_table
from companion.plugins.club.tournament.scorecards import BLANK
from companion.plugins.club.tournament.store import TournamentState

CodeFinder = Callable[[str], str] | None
_PAIRING_COLUMNS = gettext_noop("table"), gettext_noop("deals first"), gettext_noop("opponent")
_CARD_COLUMNS = (gettext_noop("round"), gettext_noop("table"), gettext_noop("opponent"), gettext_noop("deals"),
                 gettext_noop("pts"), "+", "−")  # fmt: skip
_STANDINGS_COLUMNS = (gettext_noop("rank"), gettext_noop("player"), gettext_noop("points"), gettext_noop("won"),
                      gettext_noop("lost"), gettext_noop("skunks"), gettext_noop("spread"))  # fmt: skip
_DUPLICATE_COLUMNS = gettext_noop("rank"), gettext_noop("player"), gettext_noop("games"), "±"


def print_paper(
    state: TournamentState, what: str, language: MessageCatalog | None, address: str, code_of: CodeFinder
) -> bytes | None:
    """Return a PDF file; None if there is no such paper.

    :param what: `pairings`, `cards` (as they are), `blank-cards`, `standings` or `bracket`.
    :param address: the address of the club's pages, printed on blank cards with the code of each player.
    :param code_of: gives the code of a player's card; None prints none.
    """
    return _Printer(state, language, address, code_of).print(what)


class _Printer:
    """Lays out one file."""

    def __init__(
        self, state: TournamentState, language: MessageCatalog | None, address: str, code_of: CodeFinder
    ) -> None:
        self._state, self._address, self._code_of = state, address, code_of
        self._translate = language.translate_value if language else lambda text: text
        self._font = "Helvetica"
        with suppress(ttfonts.TTFError):  # it has the letters of more languages
            pdfmetrics.registerFont(ttfonts.TTFont("DejaVuSans", "DejaVuSans.ttf"))
            self._font = "DejaVuSans"
        self._heading = ParagraphStyle("heading", fontName=self._font, fontSize=13, leading=18)
        self._text = ParagraphStyle("text", fontName=self._font, fontSize=8, leading=10)

    def print(self, what: str) -> bytes | None:
        lay_outs: dict[str, Callable[[], list[Any]]] = {
            "pairings": self._lay_pairings, "cards": partial(self._lay_cards, is_blank=False),
            "blank-cards": partial(self._lay_cards, is_blank=True), "standings": self._lay_standings,
            "bracket": self._lay_bracket,
        }  # fmt: skip
        if what not in lay_outs:
            return None
        written, size = BytesIO(), landscape(A4) if what.endswith("cards") else A4
        margins = dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), 10 * mm)
        title = f"{self._state.name}: {what}"
        SimpleDocTemplate(written, pagesize=size, title=title, invariant=1, **margins).build(lay_outs[what]())
        return written.getvalue()

    def _lay_pairings(self) -> list[Any]:
        story: list[Any] = []
        for at in range(1, self._state.rounds + 1):
            rows = []
            for game in self._state.games:
                if game.round == at:
                    bye = self._say(format_message("bye"))
                    rows.append((self._name_table(game), game.one, game.two) if game.two else ("", game.one, bye))
            half = -(-len(rows) // 2)
            both = [(*left, *right) for left, right in zip_longest(rows[:half], rows[half:], fillvalue=("", "", ""))]
            head = self._say_all(_PAIRING_COLUMNS)
            story += [self._title(format_message("Round {n}", n=at)), self._table([head * 2, *both], [14, 40, 40] * 2)]
            story += self._lay_sitting_note(rows)
            story.append(PageBreak())
        return story

    def _lay_cards(self, *, is_blank: bool) -> list[Any]:
        players = [player for player, since in self._state.players.items() if not is_blank or since < LEFT_ROUND]
        cards = [self._lay_card(player, is_blank=is_blank) for player in players]
        story: list[Any] = []
        for n in range(0, len(cards), 2):
            pair = [*cards[n : n + 2], ""][:2]
            story += [
                Table([pair], colWidths=[138 * mm] * 2, style=[("VALIGN", (0, 0), (-1, -1), "TOP")]),
                PageBreak(),
            ]
        return story

    def _lay_card(self, player: str, *, is_blank: bool) -> list[Any]:
        state = self._state
        rows: list[Sequence[str]] = [self._say_all(_CARD_COLUMNS)]
        for game in state.games:
            if player not in game[2:]:
                continue
            if game.two is None:
                rows.append((str(game.round), "", self._say(format_message("bye")), "", str(state.scheme[0]), "", ""))
                continue
            line = BLANK if is_blank else state.lines.get((player, game.round), BLANK)
            opponent = game.two if game.one == player else game.one
            points = "" if line.points is None else str(line.points)
            spread = "" if line.spread is None else f"{abs(line.spread):02}"
            columns = (spread, "") if (line.spread or 0) > 0 else ("", spread)
            table = self._name_table(game)
            rows.append((str(game.round), table, opponent, "●" if game.one == player else "", points, *columns))
        total = next(row for row in state.totals if row.player == player)
        sums = ("", "", "") if is_blank else (str(total.points), str(total.plus), str(total.plus - total.net))
        rows.append(("", "", self._say(format_message("total")), "", *sums))
        story = [self._title(player), self._table(rows, [13, 12, 50, 12, 14, 14, 14], min(6.2, 150 / len(rows)))]
        story += self._lay_sitting_note([row[1:] for row in rows])
        if self._code_of:
            link = f"{self._address}/card?event={state.id}&code={self._code_of(player)}"
            code = Drawing(20 * mm, 20 * mm)
            code.add(QrCodeWidget(link, barWidth=20 * mm, barHeight=20 * mm, barBorder=1))
            text = escape(self._say(format_message("Or enter your games on your phone: {link}", link=link)))
            row = [code, Paragraph(text, self._text)]
            story.append(Table([row], [22 * mm, 107 * mm], style=[("VALIGN", (0, 0), (-1, -1), "MIDDLE")]))
        return story

    def _name_table(self, game: DrawnGame) -> str:
        """Return the table of a game, with the sitting if it is not the first."""
        table, sitting = find_table(game.number, self._state.tables)
        return f"{table} / {sitting}" if sitting > 1 else str(table)

    def _lay_sitting_note(self, rows: Iterable[Sequence[str]]) -> list[Any]:
        """Return what a table such as `1 / 2` means, if one of the rows begins with one."""
        if not any(" / " in row[0] for row in rows):
            return []
        note = format_message("1 / 2: at table 1 in the second sitting, when the first game there is over.")
        return [Paragraph(escape(self._say(note)), self._text)]

    def _lay_standings(self) -> list[Any]:
        state = self._state
        rows: list[Sequence[object]] = [self._say_all(_STANDINGS_COLUMNS)]
        rows += [[*row[:6], f"{row.spread:+d}"] for row in state.standings]
        table = self._table(rows, [14, 62, 20, 20, 20, 20, 20])
        if 0 < len(state.qualifiers) < len(rows):
            last = max(n for n, row in enumerate(rows) if n and row[1] in state.qualifiers)
            table.setStyle([("LINEBELOW", (0, last), (-1, last), 1.5, black)])
        waiting = len(state.open_games)
        note = format_message("The line is below the last qualifier.")
        if waiting or state.blocking:
            note = format_message("Not final. Games without an entry: {open}, games to be ruled on: {blocking}.",
                                  open=waiting, blocking=len(state.blocking))  # fmt: skip
        note = Paragraph(escape(self._say(note)), self._text)
        return [self._title(format_message("Standings")), note, table, *self._lay_duplicate_ranking()]

    def _lay_duplicate_ranking(self) -> list[Any]:
        if not self._state.seed:
            return []
        rows: list[Sequence[object]] = [self._say_all(_DUPLICATE_COLUMNS)]
        rows += [[row.rank, row.player, row.games, f"{row.difference:+g}"] for row in self._state.duplicate_ranking]
        return [self._title(format_message("Duplicate")), self._table(rows, [14, 62, 20, 20])]

    def _lay_bracket(self) -> list[Any]:
        state = self._state
        if not state.bracket:
            return [self._title(format_message("The bracket has not been drawn yet."))]
        places = 2 * len(state.bracket[0])
        rows = [[""] * (len(state.bracket) + 1) for _ in range(places)]
        style: list[Any] = [("FONT", (0, 0), (-1, -1), self._font, 6.5), ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                            ("LEFTPADDING", (0, 0), (-1, -1), 2), ("RIGHTPADDING", (0, 0), (-1, -1), 1),
                            ("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 0)]  # fmt: skip
        for column, matches in enumerate(state.bracket):
            step = 2**column
            for match in matches:
                for n, player in enumerate((match.one, match.two)):
                    top = ((match.number - 1) * 2 + n) * step
                    text = self._name_seed(player) if player else "—" if match.is_bye else ""
                    rows[top][column] = f"{text}  {match.wins[n]}" if match.wins != (0, 0) else text
                    style.append(("SPAN", (column, top), (column, top + step - 1)))
                    style.append(("BOX", (column, top), (column, top + step - 1), 0.4, black))
        final = state.bracket[-1][0]
        rows[0][-1] = final.winner or ""
        style += [("SPAN", (-1, 0), (-1, -1)), ("BOX", (-1, 0), (-1, -1), 0.8, black)]
        width = 190 / (len(state.bracket) + 1)
        height = min(8.0, 245 / places)
        table = Table(rows, [width * mm] * len(rows[0]), [height * mm] * places, style=style)
        return [self._title(format_message("Bracket")), table]

    def _name_seed(self, player: str) -> str:
        return f"{self._state.seeds.index(player) + 1} {player}"

    def _say(self, message: str) -> str:
        return str(self._translate(message))

    def _say_all(self, patterns: Sequence[str]) -> list[str]:
        return [self._say(format_message(pattern)) for pattern in patterns]

    def _title(self, text: str) -> Any:
        return Paragraph(escape(f"{self._state.name} · {self._say(text)}"), self._heading)

    def _table(self, rows: Sequence[Sequence[object]], widths_mm: Sequence[float], height_mm: float = 4.4) -> Any:
        style = [("FONT", (0, 0), (-1, -1), self._font, 8), ("GRID", (0, 0), (-1, -1), 0.3, grey),
                 ("VALIGN", (0, 0), (-1, -1), "MIDDLE"), ("TOPPADDING", (0, 0), (-1, -1), 0),
                 ("BOTTOMPADDING", (0, 0), (-1, -1), 0)]  # fmt: skip
        return Table([[*map(str, row)] for row in rows], [width * mm for width in widths_mm],
                     [height_mm * mm] * len(rows), repeatRows=1, style=style)  # fmt: skip
