"""A phone in a network of its own, which plays games by the HTTP interface and notes which moves were accepted."""

import ctypes
import http.client
import json
import os
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.oracles.driver import play_game
from tests.oracles.kinds import KINDS

CLONE_NEWNET = 0x40000000
END_WITH_TEST = ("setpriv", "--pdeathsig", "KILL")
"""Words before a command that ends it when the thread that started it ends."""
JsonObject = dict[str, Any]


class NotAccepted(AssertionError):
    """The table answered with another status than wanted."""


class Phone:
    """A phone. `planned` has the moves of the present game, and `accepted` those that the table has accepted;
    `answer` is that to the last move."""

    def __init__(self, port: int = 0) -> None:
        """`port` of this machine leads to the table; without one the phone is in a network of its own."""
        self._sleeper: subprocess.Popen[bytes] | None = None
        if not port:
            rest = "ip link set lo up; echo; exec sleep infinity"
            self._sleeper = subprocess.Popen(
                [*END_WITH_TEST, "unshare", "--net", "sh", "-c", rest], stdout=subprocess.PIPE
            )
            assert self._sleeper.stdout
            self._sleeper.stdout.readline()
        self._worker = ThreadPoolExecutor(1, initializer=None if port else self._enter_namespace)
        self.address, self._port, self._cookie = "127.0.0.1" if port else "", port or 8123, ""
        self.accepted: list[JsonObject] = []
        self.answer: JsonObject = {}
        self._is_unanswered = False
        self.planned: list[JsonObject] = []

    @property
    def pid(self) -> int:
        """Number of the process that holds the phone's network."""
        assert self._sleeper
        return self._sleeper.pid

    def close(self) -> None:
        """Switch the phone off."""
        self._worker.shutdown()
        if self._sleeper:
            self._sleeper.kill()
            self._sleeper.wait()

    def do(self, function: Callable[[], Any]) -> Any:
        """Return the result of a function that runs in the phone's network."""
        return self._worker.submit(function).result()

    def ask(self, method: str, path: str, body: JsonObject | None = None) -> tuple[int, JsonObject]:
        """Return the status and the answer to a request; 0 if the table cannot be reached."""
        return self.do(lambda: self._ask(method, path, body))

    def join(self, address: str, key: str) -> None:
        """Open the players' address, as its QR code does."""
        self.address = address
        self._cookie = self.do(lambda: self._fetch_cookie(key))

    def get(self, path: str) -> JsonObject:
        """Return the answer to a GET. Raises NotAccepted."""
        return self._expect(200, "GET", path, None)

    def post(self, path: str, body: JsonObject) -> JsonObject:
        """Return the answer to a POST that must be accepted. Raises NotAccepted."""
        return self._expect(201, "POST", path, body)

    def begin_game(self, seed: int) -> None:
        """Begin a game of six-card for two; the seed decides all cards."""
        setup, self.planned, _ = play_game(KINDS["six-card"], seed * 6)
        options = dict(setup.options)
        self.post("/api/table", {"game": "six-card", "seats": setup.seats, "dealer": setup.dealer, "options": options})
        self.accepted = []

    def play_move(self) -> int:
        """Make the next move of the game, and begin another after the last.

        Return the status, 0 if there was no answer. Then the next call finds out first whether the move was accepted.
        """
        if self._is_unanswered:
            status, _ = self.ask("GET", "/api/history")
            if status != 200:
                return status
            self.check_moves()
        if len(self.accepted) == len(self.planned):
            self.begin_game(1)
        move = self.planned[len(self.accepted)]
        status, self.answer = self.ask("POST", "/api/moves", move)
        self._is_unanswered = status == 0
        if status == 201:
            self.accepted.append(move)
        return status

    def play(self, moves: int) -> None:
        """Make so many moves, all of which must be accepted."""
        for _ in range(moves):
            status = self.play_move()
            if status != 201:
                raise NotAccepted(f"move {len(self.accepted) + 1} was answered with {status}: {self.answer}")

    def check_moves(self) -> None:
        """Check that the table has the accepted moves of the game, and besides them at most one without an answer."""
        found = [each["move"] for each in self.get("/api/history")["moves"]]
        count = len(self.accepted)
        wanted = self.planned[: count + 1] if self._is_unanswered and len(found) > count else self.accepted
        assert found == wanted, (
            f"{len(found)} moves, of which {count} were accepted: {found[-2:]}, {self.accepted[-2:]}"
        )
        self.accepted, self._is_unanswered = found, False

    def _expect(self, wanted: int, method: str, path: str, body: JsonObject | None) -> JsonObject:
        status, answer = self.ask(method, path, body)
        if status != wanted:
            raise NotAccepted(f"{method} {path} was answered with {status}: {answer}")
        return answer

    def _ask(self, method: str, path: str, body: JsonObject | None) -> tuple[int, JsonObject]:
        connection = http.client.HTTPConnection(self.address, self._port, timeout=30)
        headers = {"Cookie": self._cookie, "Content-Type": "application/json"}
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"{}")
        except (OSError, http.client.HTTPException):
            return 0, {}
        finally:
            connection.close()

    def _fetch_cookie(self, key: str) -> str:
        connection = http.client.HTTPConnection(self.address, self._port, timeout=30)
        connection.request("GET", f"/join/{key}")
        response = connection.getresponse()
        connection.close()
        assert response.status == 303, response.status
        return (response.getheader("Set-Cookie") or "").partition(";")[0]

    def _enter_namespace(self) -> None:
        """Move this thread, and sockets and threads that it makes, into the phone's network."""
        file = os.open(f"/proc/{self.pid}/ns/net", os.O_RDONLY)
        failed = ctypes.CDLL(None, use_errno=True).setns(file, CLONE_NEWNET)
        os.close(file)
        if failed:
            raise OSError(ctypes.get_errno(), "the network of the phone cannot be entered")
