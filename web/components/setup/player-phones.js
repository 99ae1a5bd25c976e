// The list of player phones. Two taps end the player rights of a phone.

import { fetchApi } from "../../core/api.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatTimeAgo } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";

/** A section that unfolds; the list is loaded when it is opened. @type {import("../../core/component.js").Component} */
export function PlayerPhones(el, { actions }) {
  el.innerHTML = `<details><summary>${formatMessage("Players' phones")}</summary><ul></ul></details>`;
  const [details, list] = [/** @type {HTMLDetailsElement} */ (findElement(el, "details")), findElement(el, "ul")];
  /** @type {Api.Phones["phones"]} */
  let phones = [];
  let confirming = 0;

  const drawList = () => morphHtml(list, phones.map((each) => phoneLine(each, each.id === confirming, Date.now())).join(""));

  details.addEventListener("toggle", async () => {
    if (!details.open) return;
    confirming = 0;
    try {
      phones = (await fetchApi("/api/phones")).phones;
    } catch {
      phones = []; // the link status shows a lost table; watchers have no list
    }
    drawList();
  });

  onButtonClick(el, async ({ phone }) => {
    const id = Number(phone);
    if (confirming !== id) confirming = id;
    else {
      confirming = 0;
      phones = (await actions.endPhone(id))?.phones ?? phones;
    }
    drawList();
  });

  return () => {};
}

/**
 * Return the line of a phone.
 * @param {Api.Phones["phones"][number]} phone
 * @param {boolean} isConfirming
 * @param {number} now
 */
const phoneLine = ({ id, name, seen, you }, isConfirming, now) => `<li><span>${escapeHtml(name)}${you ? ` (${formatMessage("this one")})` : ""}</span>
  <small>${escapeHtml(formatTimeAgo(Date.parse(seen), now))}</small>
  <button type="button" class="button" data-phone="${id}" aria-pressed="${isConfirming}">
    ${isConfirming ? formatMessage("Tap again to end it") : formatMessage("End")}</button></li>`;
