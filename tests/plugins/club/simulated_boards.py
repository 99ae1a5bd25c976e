"""Simulated boards, thousands in one thread: each is a client of one of three nodes with an outbox.

A board behaves like `plugins/mqtt`: a window of 20 messages, a lower `upto` is accepted and everything above it sent
again, another node is used if one is gone or silent. It has no journal: all boards publish the same prepared game.
"""

import asyncio
import json
import random
import time
from typing import NamedTuple

from paho.mqtt.enums import CallbackAPIVersion

from companion.common.errors import CompanionError
from companion.plugins.mqtt.connection import ANSWER_TIMEOUT_S, KEEPALIVE_S, BoundedClient
from companion.plugins.mqtt.outbox import plausible_upto
from companion.plugins.mqtt.publisher import INITIAL_STALL_S, MAX_UNANSWERED, UPTO_TIMEOUT_S
from companion.protocol.json_codec import dump_json, to_json_value, write_move
from companion.rules import Setup, begin_game
from companion.rules import find_game as game_by_key
from companion.rules.cards import PACK
from companion.rules.engine import advance
from companion.rules.moves import Crib, Go, Next, Play, Starter

ROOT = "cribbage/1/north"
GAME = {"key": "six-card", "seats": 2, "options": {}, "dealer": 0}
PLAYERS = [{"seat": seat, "side": seat, "name": name} for seat, name in enumerate(("Ann", "Bob"))]


class GameMessages(NamedTuple):
    """The messages of a game: the text of each move, and the state at the end of each hand by number of moves."""

    moves: list[tuple[str, str]]
    rests: dict[int, str]


def play_game(seed):
    """Play a whole game of six-card cribbage with legal cards; return the messages without board and number."""
    chance, kind = random.Random(seed), game_by_key("six-card")
    past, moves, rests = begin_game(kind, Setup(2)), [], {}

    def make_move(move):
        nonlocal past
        past, step = advance(kind, past, move)
        after = dump_json({"by": "cards", "move": write_move(move), "awards": to_json_value(step.awards),
                       "scores": list(past.state.scores)})  # fmt: skip
        moves.append(after[1:])
        if past.state.phase in ("between", "over"):
            rests[len(moves)] = dump_json({"scores": list(past.state.scores), "phase": past.state.phase})[1:]

    while past.state.winner is None:
        deck = list(PACK)
        chance.shuffle(deck)
        if past.state.phase == "between":
            make_move(Next())
        make_move(Starter(deck.pop()))
        hands = [[deck.pop() for _ in range(4)] for _ in range(2)]
        while past.state.phase == "play":
            turn = kind.view(past.state)["turn"]
            for each in [Play(turn, held) for held in hands[turn]] + [Go(turn)]:
                try:
                    make_move(each)
                except CompanionError:
                    continue
                if isinstance(each, Play):
                    hands[turn].remove(each.card)
                break
        if past.state.phase == "crib":
            make_move(Crib(tuple(deck.pop() for _ in range(4))))
    make_move(Next())  # the next game begins in the same run
    return GameMessages(moves, rests)


class Counts:
    """Counters of all boards: the time of each PUBACK, and bytes and messages sent."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.waits, self.sent, self.moves, self.states, self.upto, self.lost = [], 0, 0, 0, 0, 0
        self.received = self.repeats = 0

    def describe(self, moves, of_a_game):
        """Return a description for games of this many moves."""
        games = moves / of_a_game
        each = (self.sent / games, self.received / games, self.moves / games, self.states / games, self.upto / games)
        sent, heard, *rest = each
        return (
            f"a game of {of_a_game} moves, with keep-alives: {sent / 1000:.1f} kB to the nodes, "
            f"{heard / 1000:.1f} kB from them; {rest[0]:.0f} moves, {rest[1]:.0f} states, {rest[2]:.0f} upto; "
            f"{self.lost} sessions lost, {self.repeats} times published again"
        )


class CountingClient(BoundedClient):
    """A client that counts its bytes. The event loop tells it when its socket can be read or written."""

    def __init__(self, client_id, counts):
        super().__init__(CallbackAPIVersion.VERSION2, client_id=client_id)
        self._counts, loop = counts, asyncio.get_running_loop()
        self.on_socket_open = lambda _client, _data, line: loop.add_reader(line, self.loop_read)
        self.on_socket_close = lambda _client, _data, line: loop.remove_reader(line)
        self.on_socket_register_write = lambda _client, _data, line: loop.add_writer(line, self.loop_write)
        self.on_socket_unregister_write = lambda _client, _data, line: loop.remove_writer(line)

    def _sock_recv(self, bufsize):
        data = super()._sock_recv(bufsize)
        self._counts.received += len(data)
        return data

    def _sock_send(self, buffer):
        count = super()._sock_send(buffer)
        self._counts.sent += count
        return count


class Board:
    """A board. `ports` are those of its nodes, in the order of its attempts."""

    def __init__(self, name, ports, lines, counts):
        self.name, self.run, self.made_moves, self.archived = name, f"{abs(hash(name)) % 16**16:016x}", 0, 0
        self.is_connected = False
        self._ports, self._lines, self._counts, self._tries = ports, lines, counts, 0
        self._client, self._next_s, self._begun = None, 0.0, False

    def mark(self, n):
        """Return a stand-in for the hash of a move."""
        return f"{self.run}{n:06x}"

    def start(self):
        self._begun = True
        self._connect()

    def play_move(self):
        self.made_moves += 1
        self._publish_moves()

    def check_node(self, now):
        """Check whether the node is silent or gone, or the archive has lost moves. Called at intervals."""
        if not self._begun:
            return
        if self._client is None:
            if now >= self._next_s:
                self._connect()
            return
        oldest = min(self._flying.values(), default=None)
        is_unwelcome = not self._is_welcome and now - self._welcomed > ANSWER_TIMEOUT_S
        if (oldest and now - oldest > ANSWER_TIMEOUT_S) or is_unwelcome:
            self._lose_node()
            return
        if not self.is_connected and self._is_welcome and now - self._welcomed > UPTO_TIMEOUT_S:
            self._begin_session()
        self._client.loop_misc()
        if self._sent == self._confirmed:
            self._since_s = now
        elif now - self._since_s > self._stall_s:
            self._since_s, self._stall_s = now, 2 * self._stall_s
            self._publish_again(self._confirmed)
        self._publish_moves()

    def close(self):
        self._begun = False
        if self._client:
            self._client.close_sockets()

    def _connect(self):
        port = self._ports[self._tries % len(self._ports)]
        self._tries += 1
        self._flying, self._sent, self._confirmed = {}, 0, 0
        self._welcomed = self._since_s = time.monotonic()
        self._is_welcome, self._stall_s = False, INITIAL_STALL_S
        self._client = CountingClient(f"{self.run}-{self._tries}", self._counts)
        self._client.max_inflight_messages_set(0)
        self._client.will_set(f"{ROOT}/{self.name}/online", "0", qos=1, retain=True)
        self._client.username_pw_set(f"north-{self.name}", "p")
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = lambda *_: self._lose_node()
        self._client.on_publish = self._on_publish
        self._client.on_message = lambda _client, _data, message: self._on_upto(json.loads(message.payload))
        try:
            self._client.connect("127.0.0.1", port, KEEPALIVE_S)
        except OSError:
            self._client, self._next_s = None, time.monotonic() + random.uniform(0.5, 2)

    def _on_connect(self, client, _data, _flags, reason, _properties):
        self._is_welcome, self._welcomed = not reason.is_failure, time.monotonic()
        client.subscribe(f"{ROOT}/{self.name}/upto", qos=0)

    def _on_publish(self, _client, _data, number, *_):
        if since := self._flying.pop(number, None):
            self._counts.waits.append((since, time.monotonic() - since))
        self._publish_moves()

    def _lose_node(self):
        client, self._client, self.is_connected = self._client, None, False
        if client and self._begun:
            client.close_sockets()
            self._counts.lost += 1
            self._next_s = time.monotonic() + random.uniform(0.1, 1)

    def _on_upto(self, upto):
        self._counts.upto += 1
        self.archived = plausible_upto(upto, self.run, self.made_moves)
        if not self.is_connected:
            self._sent = self._confirmed = self.archived
            self._begin_session()
            return
        is_news = self.archived > self._confirmed
        if self.archived < self._confirmed or (not is_news and self.archived < self._sent):
            self._publish_again(self.archived)
        if is_news:
            self._since_s, self._stall_s = time.monotonic(), INITIAL_STALL_S
        self._confirmed = self.archived
        self._publish_moves()

    def _publish_again(self, has):
        """Publish everything above this number again, and first the state at that time."""
        self._counts.repeats += 1
        self._sent = has
        self._publish_state(has)

    def _begin_session(self):
        """Begin the session: publish `online` and the state of the game."""
        self.is_connected = True
        self._publish("online", "1", is_kept=True)
        self._publish_state(self._sent)
        self._publish_moves()

    def _publish_moves(self):
        while self.is_connected and len(self._flying) < MAX_UNANSWERED and self._sent < self.made_moves:
            self._sent += 1
            n = self._sent
            head = dump_json({"run": self.run, "n": n, "ms": 1_700_000_000_000 + n, "hash": self.mark(n)})
            self._counts.moves += 1
            self._publish(f"move/{self.run}/{n}", f"{head[:-1]},{self._lines.moves[(n - 1) % len(self._lines.moves)]}")
            if n % len(self._lines.moves) in self._lines.rests:
                self._publish_state(n)

    def _publish_state(self, n):
        rest = self._lines.rests.get(n % len(self._lines.moves), '"scores":[0,0],"phase":"cut"}')
        head = dump_json({"run": self.run, "moves": n, "game": GAME, "players": PLAYERS, "winner": None})
        self._counts.states += 1
        self._publish("state", f"{head[:-1]},{rest}", is_kept=True)

    def _publish(self, what, body, *, is_kept=False):
        number = self._client.publish(f"{ROOT}/{self.name}/{what}", body, qos=1, retain=is_kept).mid
        self._flying[number] = time.monotonic()
