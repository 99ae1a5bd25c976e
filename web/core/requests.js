// Requests whose error message a part of a page shows itself. Apart from core/api.js, because the first load needs none of them.

import { formatMessage, withLanguage } from "./i18n.js";

/**
 * Request a path of the API. Return the reply or the error message.
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<{ data: any, error: string }>}
 */
export async function requestJson(path, options) {
  try {
    const reply = await fetch(withLanguage(path), options);
    const data = await reply.json();
    return reply.ok ? { data, error: "" } : { data: null, error: data.error };
  } catch {
    return { data: null, error: formatMessage("The table could not be reached.") };
  }
}
