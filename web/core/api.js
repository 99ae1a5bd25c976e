// What a player does goes up from here: one POST an action, and a refusal is one sentence shown to the player.

import { inLanguage, say } from "./i18n.js";

/** @typedef {ReturnType<typeof Actions>} Acting */

/**
 * `took(snapshot)` is called with the table after a move, `refused(sentence, status)` when it was not accepted;
 * a new action first takes away the last refusal (`refused("")`).
 * @param {(snapshot: Api.Snapshot) => void} took
 * @param {(sentence: string, status?: number) => void} refused
 */
export function Actions(took, refused) {
  /**
   * @param {string} path
   * @param {unknown} body
   * @param {typeof refused} refuse
   */
  async function post(path, body, refuse = refused) {
    refuse("");
    let reply, told;
    try {
      reply = await fetch(inLanguage(path), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      told = await reply.json();
    } catch {
      refuse(say("The table could not be reached: nothing was changed."));
      return null;
    }
    if (reply.ok) return told;
    refuse(told.error ?? say("That was not accepted."), reply.status);
    return null;
  }

  /**
   * What the table answers to a question about a layout; null where it does not.
   * @template {"hint" | "best"} What
   * @param {What} what
   * @returns {Promise<Api.Answers[`/api/${What}`] | null>}
   */
  async function ask(what) {
    refused("");
    try {
      const reply = await fetch(inLanguage(`/api/${what}`), { cache: "no-store" });
      const told = await reply.json();
      if (reply.ok) return told;
      refused(told.error ?? say("There is no answer to that."));
    } catch {
      refused(say("The table could not be reached."));
    }
    return null;
  }

  /**
   * The table after a move, or null where it was refused.
   * @param {Api.Move} made
   * @returns {Promise<Api.Snapshot | null>}
   */
  async function move(made) {
    const snapshot = await post("/api/moves", made);
    if (snapshot) took(snapshot);
    return snapshot;
  }

  /**
   * Ask for something from a sheet, which has a place of its own for a refusal: its sentence, or null.
   * @param {string} path
   * @param {object} body
   * @returns {Promise<string | null>}
   */
  async function heard(path, body) {
    let said = "";
    const snapshot = await post(path, body, (sentence) => (said = sentence));
    if (snapshot) took(snapshot);
    return snapshot ? null : said;
  }

  return {
    move,
    ask,
    /**
     * A card tapped is what the same card scanned would be.
     * @param {string} card
     */
    card: (card) => move({ type: "card", card }),
    /**
     * @param {"holes" | "fault" | "scan" | "press" | "cable"} what
     * @param {object} body
     * @returns {Promise<{ ok: true } | null>}
     */
    bench: (what, body) => post(`/api/bench/${what}`, body),
    /**
     * A move from a sheet: the sentence of its refusal, or null.
     * @param {object} made
     */
    make: (made) => heard("/api/moves", made),
    /**
     * Another game, or one taken up again; the sentence of the refusal where there is one, else null.
     * @param {object} wanted
     */
    begin: (wanted) => heard("/api/table", wanted),
    /**
     * Something this phone keeps for itself at an address, such as its hand: the sentence of a refusal, or null.
     * @param {string} path
     * @param {object} body
     */
    keep: async (path, body) => {
      let said = "";
      return (await post(path, body, (sentence) => (said = sentence))) ? null : said;
    },
    /**
     * A player's name, and colour.
     * @param {object} named
     */
    call: (named) => heard("/api/players", named),
    /**
     * The players' phones that are left when this one is none any more.
     * @param {number} phone
     * @returns {Promise<Api.Phones | null>}
     */
    end: (phone) => post("/api/phones", { end: phone }),
    refused,
  };
}

// What the table is asked, and answers, without anything being changed.

const PATIENCE_MS = 4000;

/**
 * What the table answers at an address of its API; an answer that it has given before and still holds comes from the
 * browser's own memory. Throws where there is no answer.
 * @template {keyof Api.Answers} Path
 * @param {Path} path
 * @param {string} query
 * @returns {Promise<Api.Answers[Path]>}
 */
export async function get(path, query = "") {
  const reply = await fetch(inLanguage(path + query), { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return reply.json();
}

/**
 * What the table answers where nobody else is told when it does not: null then.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function ask(path) {
  try {
    const reply = await fetch(inLanguage(path), { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE_MS) });
    return reply.ok ? await reply.json() : null;
  } catch {
    return null;
  }
}

/**
 * Rows that were told column by column, which is a third as long: each field is named once.
 * @param {Record<string, unknown[]>} columns
 */
export const rows = (columns) =>
  Object.values(columns)[0].map((_, i) => Object.fromEntries(Object.entries(columns).map(([field, all]) => [field, all[i]])));

let asked = "";
/** @type {Promise<Api.Board>} */
let found;

/**
 * The board of this snapshot, asked for once in each run of the table.
 * @param {Api.Snapshot} snapshot
 */
export function boardOf({ run, board }) {
  const mark = `${run} ${board}`;
  if (mark !== asked) {
    asked = mark;
    found = get("/api/board", "?columns").then((told) => ({ ...told, holes: /** @type {any} */ (rows(/** @type {any} */ (told.holes))) }));
    found.catch(() => (asked = ""));
  }
  return found;
}

// What the workshop asks to be done, and what the table says to it.

/**
 * The answer, or the sentence of a refusal.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{ told: any, error: string }>}
 */
export async function send(path, body) {
  try {
    const reply = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const told = await reply.json();
    return reply.ok ? { told, error: "" } : { told: null, error: told.error ?? "That was not accepted." };
  } catch {
    return { told: null, error: "The table could not be reached: nothing was changed." };
  }
}
