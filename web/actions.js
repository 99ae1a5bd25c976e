// What a player does goes up from here: one POST an action, and a refusal is one sentence shown to the player.

import { inLanguage, say } from "./say.js";

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
