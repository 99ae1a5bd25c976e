// Photographs sent to the table. Apart from the other requests, because the first load of a page needs none.

import { formatMessage, withLanguage } from "./i18n.js";

/**
 * Have the cards in a photograph read. Return the reply or the error message.
 * @param {Blob} photo a JPEG
 * @returns {Promise<{ data: import("../components/card-readings.js").PhotoAnswer | null, error: string }>}
 */
export async function postPhoto(photo) {
  try {
    const reply = await fetch(withLanguage("/api/cards/photo"), { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: photo });
    const data = await reply.json();
    return reply.ok ? { data, error: "" } : { data: null, error: data.error };
  } catch {
    return { data: null, error: formatMessage("The table could not be reached.") };
  }
}
