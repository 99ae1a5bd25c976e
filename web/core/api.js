// Requests to the table's HTTP API: moves and other POSTs, and GETs that the browser may answer from its cache.

import { formatMessage, withLanguage } from "./i18n.js";

/** @typedef {ReturnType<typeof createActions>} Actions */

/** How long a request may wait for its answer: a table that is busy needs some seconds. */
const TIMEOUT_MS = 10_000;
/** Pauses before a move whose answer was lost is sent again, in ms. */
const RETRY_PAUSES_MS = [500, 1500];

/**
 * Create the functions that post what a player does. `onSnapshot(snapshot)` is called with the new snapshot after a move,
 * and resolves when it is drawn.
 * `onRefusal(sentence, status)` is called with the error message of a refused request; each new request first clears
 * the last message by `onRefusal("")`. `getSnapshot` returns what the player sees, so that a move can be sent again.
 * @param {(snapshot: Api.Snapshot) => unknown} onSnapshot
 * @param {(sentence: string, status?: number) => void} onRefusal
 * @param {() => Api.Snapshot | null} getSnapshot
 */
export function createActions(onSnapshot, onRefusal, getSnapshot = () => null) {
  /** @type {Promise<unknown>} */
  let newestRequest = Promise.resolve();

  /**
   * Post a body and return the reply, or null if the request is refused or fails. A request is sent when the one before
   * it is answered: sent at once, two quick moves could reach the table in the other order.
   * @param {string} path
   * @param {unknown} body
   * @param {typeof onRefusal} onError
   * @param {string} key
   */
  function post(path, body, onError = onRefusal, key = "") {
    const reply = newestRequest.then(() => sendRequest(path, body, onError, key));
    newestRequest = reply.catch(() => {});
    return reply;
  }

  /**
   * @param {string} path
   * @param {unknown} body
   * @param {typeof onRefusal} onError
   * @param {string} key
   * @returns {Promise<any>}
   */
  async function sendRequest(path, body, onError, key) {
    onError("");
    let reply, data;
    try {
      ({ reply, data } = await fetchAnswer(path, body, key));
    } catch {
      onError(key ? formatMessage("The table does not answer. Look at the scores before you tap again.") : formatMessage("The table could not be reached. Nothing was changed."));
      return null;
    }
    if (reply.ok) return data;
    onError(data.error ?? formatMessage("That was not accepted."), reply.status);
    return null;
  }

  /**
   * Ask the table about the current card layout. Return null if there is no answer.
   * @template {"hint" | "best"} What
   * @param {What} kind
   * @returns {Promise<Api.Answers[`/api/${What}`] | null>}
   */
  async function fetchLayoutAdvice(kind) {
    onRefusal("");
    try {
      const reply = await fetch(withLanguage(`/api/${kind}`), { cache: "no-store" });
      const data = await reply.json();
      if (reply.ok) return data;
      onRefusal(data.error ?? formatMessage("No answer. Try again."));
    } catch {
      onRefusal(formatMessage("The table could not be reached."));
    }
    return null;
  }

  /**
   * Post a move and return the snapshot after it, or null if the move is refused.
   * @param {Api.Move} move
   * @returns {Promise<Api.Snapshot | null>}
   */
  async function makeMove(move) {
    const snapshot = await post("/api/moves", move, onRefusal, tapKey(getSnapshot()));
    if (snapshot) onSnapshot(snapshot);
    return snapshot;
  }

  /**
   * Post from a dialog that shows refusals itself: return the error message, or null once the result is drawn.
   * @param {string} path
   * @param {object} body
   * @param {string} [key]
   * @returns {Promise<string | null>}
   */
  async function tryPost(path, body, key) {
    let error = "";
    const snapshot = await post(path, body, (sentence) => (error = sentence), key);
    if (snapshot) await onSnapshot(snapshot);
    return snapshot ? null : error;
  }

  return {
    makeMove,
    fetchLayoutAdvice,
    /** Enter a card, as if the reader had scanned it. @param {string} card */
    enterCard: (card) => makeMove({ type: "card", card }),
    /**
     * Post to the simulated devices of the bench.
     * @param {"holes" | "fault" | "scan" | "press" | "cable"} what
     * @param {object} body
     * @returns {Promise<{ ok: true } | null>}
     */
    postToBench: (what, body) => post(`/api/bench/${what}`, body),
    /** Make a move from a dialog. Return the error message, or null. @param {object} move */
    tryMove: (move) => tryPost("/api/moves", move, tapKey(getSnapshot())),
    /** Start a new game or resume an unfinished one. Return the error message, or null. @param {object} game */
    startGame: (game) => tryPost("/api/table", game),
    /**
     * Store something that belongs to this phone alone, such as its hand. Return the error message, or null.
     * @param {string} path
     * @param {object} body
     */
    storeForPhone: async (path, body) => {
      let error = "";
      return (await post(path, body, (sentence) => (error = sentence))) ? null : error;
    },
    /** Set a player's name and colour. Return the error message, or null. @param {object} player */
    setPlayer: (player) => tryPost("/api/players", player),
    /**
     * End a phone's player rights. Return the remaining player phones.
     * @param {number} phone
     * @returns {Promise<Api.Phones | null>}
     */
    endPhone: (phone) => post("/api/phones", { end: phone }),
    showRefusal: onRefusal,
  };
}

/**
 * Return the key of a tap on what the snapshot shows: the table makes the move once, however often it is sent. Empty without a snapshot.
 * @param {Api.Snapshot | null} snapshot
 */
function tapKey(snapshot) {
  if (!snapshot) return "";
  const tap = [...crypto.getRandomValues(new Uint32Array(3))].map((each) => each.toString(36)).join("");
  return `${snapshot.run}/${snapshot.moves}/${tap}`;
}

/**
 * Post a body until there is an answer: with a key, it may be sent again. Throw if there is none.
 * @param {string} path
 * @param {unknown} body
 * @param {string} key
 */
async function fetchAnswer(path, body, key) {
  const pauses = key ? [...RETRY_PAUSES_MS] : [];
  const headers = { "Content-Type": "application/json", ...(key ? { "Idempotency-Key": key } : {}) };
  const signal = () => (key ? AbortSignal.timeout(TIMEOUT_MS) : null); // without a key nobody knows what a late request does
  for (;;) {
    try {
      const reply = await fetch(withLanguage(path), { method: "POST", headers, body: JSON.stringify(body), signal: signal() });
      return { reply, data: await reply.json() };
    } catch (error) {
      const pause = pauses.shift();
      if (pause === undefined) throw error;
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }
}

// GET requests.

/**
 * Fetch a path of the API. An unchanged answer comes from the browser's cache (ETag). Throw if there is no answer.
 * @template {keyof Api.Answers} Path
 * @param {Path} path
 * @param {string} query
 * @param {number} timeoutMs
 * @returns {Promise<Api.Answers[Path]>}
 */
export async function fetchApi(path, query = "", timeoutMs = TIMEOUT_MS) {
  const reply = await fetch(withLanguage(path + query), { cache: "no-cache", signal: AbortSignal.timeout(timeoutMs) });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return reply.json();
}

/**
 * Fetch a path of the API. Return null if there is no answer.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function fetchApiOrNull(path) {
  try {
    const reply = await fetch(withLanguage(path), { cache: "no-cache", signal: AbortSignal.timeout(TIMEOUT_MS) });
    return reply.ok ? await reply.json() : null;
  } catch {
    return null;
  }
}

/**
 * Turn a table of columns into rows. The wire format names each field once, which makes it a third as long.
 * @param {Record<string, unknown[]>} columns
 */
export const rowsFromColumns = (columns) =>
  Object.values(columns)[0].map((_, i) => Object.fromEntries(Object.entries(columns).map(([field, all]) => [field, all[i]])));

let boardKey = "";
/** @type {Promise<Api.Board>} */
let boardRequest;

/** Return the board of a snapshot. It is fetched once for each run of the program. @param {Api.Snapshot} snapshot */
export function fetchBoard({ run, board }) {
  const key = `${run} ${board}`;
  if (key !== boardKey) {
    boardKey = key;
    boardRequest = fetchApi("/api/board", "?columns").then((data) => ({ ...data, holes: /** @type {any} */ (rowsFromColumns(/** @type {any} */ (data.holes))) }));
    boardRequest.catch(() => (boardKey = ""));
  }
  return boardRequest;
}

/**
 * Post to the workshop. Return the reply or the error message.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{ data: any, error: string }>}
 */
export async function postToWorkshop(path, body) {
  try {
    const reply = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const data = await reply.json();
    return reply.ok ? { data, error: "" } : { data: null, error: data.error ?? "That was not accepted." };
  } catch {
    return { data: null, error: "The table could not be reached: nothing was changed." };
  }
}
