// What a player does goes up from here: one POST an action, and a refusal is one sentence shown to the player.

/**
 * `took(snapshot)` is called with the table after a move, `refused(sentence, status)` when it was not accepted;
 * a new action first takes away the last refusal (`refused("")`).
 */
export function Actions(took, refused) {
  async function post(path, body) {
    refused("");
    let reply, told;
    try {
      reply = await fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      told = await reply.json();
    } catch {
      refused("The table could not be reached: nothing was changed.");
      return null;
    }
    if (reply.ok) return told;
    refused(told.error ?? "That was not accepted.", reply.status);
    return null;
  }

  /** What the table answers to a question, such as `hint`; null where it does not. */
  async function ask(what) {
    refused("");
    try {
      const reply = await fetch(`/api/${what}`, { cache: "no-store" });
      const told = await reply.json();
      if (reply.ok) return told;
      refused(told.error ?? "There is no answer to that.");
    } catch {
      refused("The table could not be reached.");
    }
    return null;
  }

  async function move(made) {
    const snapshot = await post("/api/moves", made);
    if (snapshot) took(snapshot);
    return snapshot;
  }

  return {
    move,
    ask,
    /** A card tapped is what the same card scanned would be. */
    card: (card) => move({ type: "card", card }),
    bench: (what, body) => post(`/api/bench/${what}`, body),
    refused,
  };
}
