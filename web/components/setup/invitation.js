// The invitation: once an evening, when a game for several begins and no other phone has joined. Loaded on demand.

import { fetchApiOrNull } from "../../core/api.js";
import { escapeHtml, findElement } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { loadSetting, saveSetting } from "../../core/preferences.js";
import { createDialog } from "../dialog.js";

const INVITED_SETTING = "invited";
const EVENING_MS = 8 * 3600 * 1000;

/** Whether only the table's own machine can open a link. @param {string} link */
export const isLoopback = (link) => /^https?:\/\/(localhost|127\.|\[::1\])/.test(link);

/** Show the code of the players' link, unless this phone has shown it today or another phone plays along already. */
export async function offerInvitation() {
  const today = new Date().toDateString();
  if (loadSetting(INVITED_SETTING) === today) return;
  const [links, list] = await Promise.all([fetchApiOrNull("/api/invite"), fetchApiOrNull("/api/phones")]);
  const hasJoined = (/** @type {Api.Phones["phones"][number]} */ { you, seen }) => !you && Date.now() - Date.parse(seen) < EVENING_MS;
  if (!links || !list || isLoopback(links.player) || list.phones.some(hasJoined)) return;
  saveSetting(INVITED_SETTING, today);
  const dialog = findElement(document, "main").appendChild(document.createElement("dialog"));
  const { body, open, close } = createDialog(dialog, formatMessage("Scan to join"));
  dialog.classList.add("small", "scan-to-join");
  body.innerHTML = `<p>${escapeHtml(formatMessage("Everybody can play along on their own phone."))}</p>
    <img src="/api/invite.svg?for=player" alt="${escapeHtml(formatMessage("{name}: QR code", { name: formatMessage("To play") }))}" width="240" height="240">
    <small>${escapeHtml(links.player)}</small>
    <button type="button" class="button main" data-later>${escapeHtml(formatMessage("Not now"))}</button>`;
  findElement(body, "[data-later]").addEventListener("click", close);
  dialog.addEventListener("close", () => dialog.remove());
  open();
}
