"""Messages between two tables that play one game, and their encryption.

Each message contains the whole state that the other table needs and replaces the one before, so a lost or duplicate
message only costs time. All fields from the other table are validated (docs/reference/remote.md).

Each has its own key, derived by HKDF-SHA256 from the secret of the invitation, a random salt, the session, the sender
and the kind of message; ChaCha20-Poly1305 encrypts it. Its number is part of what is authenticated. Numbers only
grow, also over restarts, so an old message is refused.
"""

import hashlib
import re
import secrets
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, cast

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from companion.common.errors import BadMove
from companion.common.files import PrivateValues
from companion.journal.journal import Journal
from companion.plugins.remote.deal import DealStatement
from companion.plugins.remote.invitation import MessageNumbers
from companion.protocol.json_codec import dump_json, parse_json, read_move, write_move
from companion.rules.cards import parse_card
from companion.table.players import read_name
from companion.table.remote_game import INPUT_SOURCES, REMOTE_MOVES


class LoggedMove(NamedTuple):
    """A move of the journal: its source and its JSON."""

    by: str
    move: Any


class DealNumbers(NamedTuple):
    """The number of the move that began the current deal, 0 for the first; and that of the last finished deal."""

    current: int = 0
    finished: int | None = None


class MoveLog:
    """Moves of one game, read as the journal grows. Any thread, one at a time. Every method may raise JournalError."""

    def __init__(self, journal: Journal, game: int) -> None:
        self.game = game
        self.moves: list[LoggedMove] = []
        self._journal = journal
        self._marks = [""]
        self._deals = [DealNumbers()]
        self._cuts: Counter[int] = Counter()
        self._requested: set[tuple[int, str]] = set()
        self._newest, self._seen = 0, -1
        self.read_new_moves()

    def read_new_moves(self) -> None:
        if self._journal.last_entry_id == self._seen:
            return
        self._seen = self._journal.last_entry_id
        for written in self._journal.read_entries(self.game, self._newest):
            self._newest = written.id
            if written.entry.kind == "move":
                self._append_move(LoggedMove(written.entry.by, written.entry.body))
            elif written.entry.kind == "ask":
                asked = (LoggedMove(request["by"], request["move"]) for request in written.entry.body)
                self._requested |= {(number, dump_json(move)) for number, move in enumerate(asked, self.count)}

    @property
    def count(self) -> int:
        """Number of moves, including undos."""
        return len(self.moves)

    @property
    def deals(self) -> DealNumbers:
        """The current and the last finished deal."""
        return self._deals[-1]

    @property
    def cuts(self) -> int:
        """Number of cuts in the current deal, including those taken back."""
        return self._cuts[self.deals.current]

    def is_requested(self, move: LoggedMove) -> bool:
        """Return whether this table has asked for this move as the next one."""
        return (self.count, dump_json(move)) in self._requested

    def mark_after(self, count: int) -> str | None:
        """Return the hash after this many moves; None if there are fewer."""
        return self._marks[count] if 0 <= count < len(self._marks) else None

    def _append_move(self, move: LoggedMove) -> None:
        self.moves.append(move)
        hashed = self._marks[-1] + dump_json(move)
        self._marks.append(hashlib.sha256(hashed.encode()).hexdigest()[:16])
        kind = move.move["type"]
        if kind == "undo":
            self._deals.pop()
            return
        deals = self.deals
        if kind in ("misdeal", "next"):
            deals = DealNumbers(self.count, deals.current if kind == "next" else deals.finished)
        self._deals.append(deals)
        self._cuts[deals.current] += kind == "starter"


MAX_MOVES_PER_MESSAGE = 40
MAX_MOVES_REQUESTED = 4
MAX_DEALS_STATED = 9
MAX_REASON_LENGTH = 400
"""Maximum length of a sentence from the other table, in characters."""
_MARK_PATTERN = re.compile(r"([0-9a-f]{16})?")
_HASH_PATTERN = re.compile(r"([0-9a-f]{64})?")


class MoveRequest(NamedTuple):
    """Moves that the guest requests, to follow move number `after`."""

    after: int
    moves: tuple[LoggedMove, ...]

    @property
    def mark(self) -> str:
        return hashlib.sha256(dump_json(self).encode()).hexdigest()[:16]


class MoveRefusal(NamedTuple):
    """Why the host refuses the request with this mark."""

    mark: str
    why: str


@dataclass(frozen=True, kw_only=True)
class GameStateMessage:
    """State of the game at one table.

    `run` is the game's id, empty if there is none; `count` and `mark` identify the last move. The host sends `plan`,
    `moves` from number `first` on, and `refusal`; the guest sends `request`. `why` says why this table cannot continue;
    empty otherwise. `deals` are the current deal and those that are over.
    """

    run: str = ""
    name: str = ""
    count: int = 0
    mark: str = ""
    plan: Mapping[str, Any] | None = None
    first: int = 0
    moves: tuple[LoggedMove, ...] = ()
    request: MoveRequest | None = None
    refusal: MoveRefusal | None = None
    why: str = ""
    deals: tuple[DealStatement, ...] = ()


def format_game_message(message: GameStateMessage) -> str:
    """Return the message as JSON, with an object or a list for each part."""
    return dump_json(asdict(message))


def parse_game_message(payload: bytes) -> GameStateMessage:
    """Return the message. Raises BadMove if the payload is not valid."""
    data = parse_json(payload)
    try:
        return _read_message(cast(dict[str, Any], data))
    except (LookupError, TypeError, ValueError, AttributeError):
        raise BadMove("The other table sent an invalid message. Check that both run the same version.") from None


def clean_sentence(value: Any) -> str:
    """Return a sentence of the other table on one line, printable and at most `MAX_REASON_LENGTH` characters."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return "".join(letter for letter in text if letter.isprintable())[:MAX_REASON_LENGTH]


def _read_message(data: dict[str, Any]) -> GameStateMessage:
    """Return the message of parsed JSON. Raises ValueError, LookupError, TypeError or AttributeError."""
    plan, request, refusal = data["plan"], data["request"] or None, data["refusal"] or None
    return GameStateMessage(
        run=_read_hash(data["run"], _MARK_PATTERN),
        name="" if data["name"] == "" else read_name(data["name"]),
        count=_read_count(data["count"]),
        mark=_read_hash(data["mark"], _MARK_PATTERN),
        plan=None if plan is None else dict(plan.items()),
        first=_read_count(data["first"]),
        moves=_read_moves(data["moves"], MAX_MOVES_PER_MESSAGE),
        request=request and MoveRequest(_read_count(request[0]), _read_moves(request[1], MAX_MOVES_REQUESTED)),
        refusal=refusal and MoveRefusal(_read_hash(refusal[0], _MARK_PATTERN), clean_sentence(refusal[1])),
        why=clean_sentence(data["why"]),
        deals=tuple(map(_read_deal, data["deals"][:MAX_DEALS_STATED])),
    )


def _read_deal(data: dict[str, Any]) -> DealStatement:
    hashes: dict[str, Any] = {name: _read_hash(data[name]) for name in ("pack", "cut", "discard", "seed")}
    cards = {name: tuple(str(parse_card(card)) for card in data[name][:6]) for name in ("hand", "crib")}
    pack_lock, cut_lock = map(_read_lock, data["locks"])
    return DealStatement(
        run=_read_hash(data["run"], _MARK_PATTERN),
        number=_read_count(data["number"]),
        locks=(pack_lock, cut_lock),
        starter="" if data["starter"] == "" else str(parse_card(data["starter"])),
        **(hashes | cards),
    )


def _read_moves(data: Any, max_count: int) -> tuple[LoggedMove, ...]:
    moves = [(by, read_move(move, 2)) for by, move in data]
    if len(moves) > max_count or not all(by in INPUT_SOURCES and isinstance(move, REMOTE_MOVES) for by, move in moves):
        raise ValueError
    return tuple(LoggedMove(by, write_move(move)) for by, move in moves)


def _read_count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 10**9:
        raise ValueError
    return value


def _read_lock(text: str) -> str:
    """Return a lock. Without one, a table could choose its cards after it has seen the other's part."""
    if not text:
        raise ValueError
    return _read_hash(text)


def _read_hash(text: str, pattern: re.Pattern[str] = _HASH_PATTERN) -> str:
    if not pattern.fullmatch(text):
        raise ValueError
    return text


NUMBERS_RESERVED = 100
"""Message numbers that one write to the file reserves."""
MAX_PAYLOAD_BYTES = 128 * 1024
_CONTEXT = "cribbage remote 2"
_VERSION = b"\2"
_SALT_BYTES, _NUMBER_BYTES, _NONCE_BYTES, _KEY_BYTES, _SESSION_BYTES = 16, 8, 12, 32, 8
_HEADER_BYTES = len(_VERSION) + _SALT_BYTES + _NUMBER_BYTES


class MessageRefused(BadMove):
    """A message that is not from the other table, was changed on the way, or is older than one that was accepted."""


class OldMessage(MessageRefused):
    """An authentic message that is older than one that was accepted."""


class SecureChannel:
    """Seals own messages and opens the other table's. For one thread."""

    def __init__(self, saved: PrivateValues, secret: bytes, *, is_host: bool) -> None:
        """`secret` is that of an invitation, whose message numbers are in `saved`."""
        self._secret, self._numbers = secret, MessageNumbers(saved, secret)
        self._last_sent = self._numbers.sent
        self._self, self._peer = ("host", "guest") if is_host else ("guest", "host")
        self.session = self._derive_key("session", None, _SESSION_BYTES).hex()
        """Public name of the session, for its topics. It does not reveal the secret."""

    def seal(self, kind: str, text: str) -> str:
        """Return the message as text. Raises NotSaved if its number cannot be saved."""
        if self._last_sent == self._numbers.sent:
            self._numbers.save(sent=self._last_sent + NUMBERS_RESERVED)
        self._last_sent += 1
        header = _VERSION + secrets.token_bytes(_SALT_BYTES) + self._last_sent.to_bytes(_NUMBER_BYTES, "big")
        cipher, nonce = self._create_cipher(self._self, kind, header)
        return b64encode(header + cipher.encrypt(nonce, text.encode(), header)).decode()

    def open(self, kind: str, payload: bytes) -> bytes:
        """Return the text of the other table's message. The newest one may come again. Raises MessageRefused.

        Raises NotSaved if its number cannot be saved.
        """
        try:
            message = b64decode(payload[:MAX_PAYLOAD_BYTES], validate=True)
            header, sealed = message[:_HEADER_BYTES], message[_HEADER_BYTES:]
            if len(header) < _HEADER_BYTES or not header.startswith(_VERSION):
                raise ValueError  # noqa: TRY301 - as b64decode
            cipher, nonce = self._create_cipher(self._peer, kind, header)
            text = bytes(cipher.decrypt(nonce, sealed, header))
        except (ValueError, InvalidTag) as error:
            raise MessageRefused("It is not from the other table, or it was changed on the way.") from error
        number, newest = int.from_bytes(header[-_NUMBER_BYTES:], "big"), self._numbers.received.get(kind, 0)
        if number < newest:
            raise OldMessage("It is older than the last one.")
        if number > newest:
            self._numbers.save(received={**self._numbers.received, kind: number})
        return text

    def _create_cipher(self, sender: str, kind: str, header: bytes) -> tuple[ChaCha20Poly1305, bytes]:
        salt, number = header[len(_VERSION) : -_NUMBER_BYTES], header[-_NUMBER_BYTES:]
        key = self._derive_key(f"{self.session} {sender} {kind}", salt, _KEY_BYTES)
        return ChaCha20Poly1305(key), number.rjust(_NONCE_BYTES, b"\0")

    def _derive_key(self, purpose: str, salt: bytes | None, length: int) -> bytes:
        info = f"{_CONTEXT} {purpose}".encode()
        return bytes(HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(self._secret))
