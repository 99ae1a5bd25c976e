"""Slow answers, to find tests and pages that depend on the order or the speed of answers.

`SLOW_STAGE=300` delays each request, each answer, each message of the event stream and each module that a page loads on
demand by up to 300 ms. How long depends on the address and on `SLOW_SEED`: another seed gives another order.
"""

import os
import re
import time
from functools import cache
from pathlib import Path
from zlib import crc32

from playwright.sync_api import BrowserContext

MAX_DELAY_MS = int(os.environ.get("SLOW_STAGE", "0"))
SEED = os.environ.get("SLOW_SEED", "1")

_LOADED = re.compile(r'(?:await|,) import\("[^"]*?([^"/]+)"\)')
_IMPORTED = re.compile(r'\bfrom "[^"]*?([^"/]+)"')

_SCRIPT = """(() => {
    const delayed = new Map();
    const delay = (name) => {
        const count = (delayed.get(name) ?? 0) + 1;
        delayed.set(name, count);
        let hash = 2166136261;
        for (const letter of `${SEED} ${name} ${count}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
        hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
        return new Promise((done) => setTimeout(done, ((hash >>> 8) % 1000) * MAX_DELAY_MS / 1000));
    };
    const { fetch, EventSource } = window;
    window.fetch = async (address, options) => {
        const name = `${options?.method ?? "GET"} ${address?.url ?? address}`;
        if (!options?.keepalive) await delay(name);
        options?.signal?.throwIfAborted();
        const answer = await fetch(address, options);
        await delay(name);
        return answer;
    };
    window.EventSource = class extends EventSource {
        #last = Promise.resolve();
        set onmessage(handle) {
            super.onmessage = (message) => {
                const deliver = () => this.readyState !== EventSource.CLOSED && handle(message);
                this.#last = this.#last.then(() => delay("message")).then(deliver);
            };
        }
    };
})()"""


def slow_down(context: BrowserContext) -> None:
    """Delay all answers that the pages of a context get, if the environment asks for it."""
    if MAX_DELAY_MS:
        context.add_init_script(_SCRIPT.replace("${SEED}", SEED).replace("MAX_DELAY_MS", str(MAX_DELAY_MS)))


@cache
def _find_lazy_modules(web: Path) -> frozenset[str]:
    """Return the names of the modules that are loaded on demand, and never with a page."""
    code = "".join(each.read_text("utf-8") for each in web.rglob("*.js"))
    return frozenset(_LOADED.findall(code)) - frozenset(_IMPORTED.findall(code))


def is_delayed(web: Path, path: str) -> bool:
    """Return whether this is a module that a page loads on demand, after having waited for its time."""
    if not MAX_DELAY_MS or Path(path).name not in _find_lazy_modules(web):
        return False
    time.sleep(crc32(f"{SEED} {path}".encode()) % 1000 * MAX_DELAY_MS / 1e6)
    return True


HOLD_FIRST_ANSWER = """(path) => {
    const send = window.fetch;
    let count = 0, release;
    const isSecondRead = new Promise((done) => (release = done));
    Object.assign(window, { isHeld: false, isLate: false });
    window.fetch = async (address, options) => {
        const number = String(address).includes(path) ? ++count : 0;
        const answer = await send(address, options);
        if (number === 2) setTimeout(release, 50);
        if (number !== 1) return answer;
        window.isHeld = true;
        await isSecondRead;
        setTimeout(() => (window.isLate = true), 50);
        return answer;
    };
}"""
"""The page gets the first answer from a path after the second: `isHeld` while it waits, `isLate` afterwards."""
