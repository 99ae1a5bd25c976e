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
