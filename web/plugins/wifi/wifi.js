// Entry of the Wi-Fi page: the networks that the table sees, one of which it joins, and the label of its own network.

import { createActions, fetchApiOrNull } from "../../core/api.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage, loadCatalogue } from "../../core/i18n.js";

/** @typedef {Api.Answers["/api/wifi"]} Wifi */

const REFRESH_MS = 3000;
const status = findElement(document, "[data-wifi]");
const form = /** @type {HTMLFormElement} */ (findElement(document, "[data-join-network]"));
const ownNetwork = findElement(document, "[data-own-network]");
const alert = findElement(form, "[role=alert]");
const [network, password] = ["network", "password"].map((name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)));
const { storeForPhone } = createActions(() => {}, () => {});
let wanted = "";

onButtonClick(status, ({ network: name }) => {
  if (name === undefined) return;
  network.value = name;
  password.focus();
});

findElement(form, "[data-show-password]").addEventListener("change", ({ target }) => {
  password.type = /** @type {HTMLInputElement} */ (target).checked ? "text" : "password";
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const error = await storeForPhone("/api/wifi", { network: network.value, password: password.value });
  alert.textContent = error ?? "";
  if (error === null) wanted = network.value;
  refresh();
});

/** Draw the state of the Wi-Fi. While the table joins a network, a phone in the table's own network gets no answer. */
async function refresh() {
  /** @type {Wifi | null} */
  const wifi = await fetchApiOrNull("/api/wifi");
  if (wifi?.problem) wanted = "";
  morphHtml(status, wifi ? statusText(wifi) + networkList(wifi) : `<p>${unreachableText()}</p>`);
  if (wifi) morphHtml(ownNetwork, wifi.hotspot ? ownNetworkSection(wifi.hotspot) : "");
}

/** @param {Wifi} wifi */
function statusText({ phase, problem, network: name }) {
  const texts = {
    connected: formatMessage("The table is connected. Here you can choose another network."),
    searching: formatMessage("The table looks for a network that it knows."),
    open: formatMessage("The table knows no network here. Choose yours."),
    joining: formatMessage("The table joins {network}.", { network: name }),
  };
  const line = problem ? `<p class="error" data-problem>${escapeHtml(problem)}</p>` : "";
  return `${line}<p data-phase="${phase}">${escapeHtml(wanted && phase !== "connected" ? unreachableText() : texts[phase])}</p>`;
}

const unreachableText = () =>
  wanted
    ? formatMessage("The table joins {network}. Join it with this phone too, then open the table again. If it fails, the table's own Wi-Fi comes back within a minute.", { network: wanted })
    : formatMessage("The table does not answer. Try again later.");

/** @param {Wifi} wifi */
const networkList = ({ networks }) =>
  networks.length ? `<h2>${formatMessage("Networks in sight")}</h2><div class="choices">${networks.map(networkButton).join("")}</div>` : "";

/** @param {Wifi["networks"][number]} network */
const networkButton = ({ name, strength, has_password: isLocked }) =>
  `<button type="button" class="button" data-network="${escapeHtml(name)}">${escapeHtml(name)} <small>${strength} %${isLocked ? "" : ` · ${formatMessage("no password")}`}</small></button>`;

/** @param {NonNullable<Wifi["hotspot"]>} hotspot */
const ownNetworkSection = ({ name, password: secret }) => `<section class="invite"><h2>${formatMessage("For the label")}</h2>
  <p>${formatMessage("Without a known network for a minute, the table opens this Wi-Fi. Print this page or note it on the board.")}</p>
  <img src="/api/wifi.svg" alt="${formatMessage("{name}: QR code", { name: escapeHtml(name) })}" width="240" height="240">
  <p>${formatMessage("Network")}: <b>${escapeHtml(name)}</b><br>${formatMessage("Password")}: <b>${escapeHtml(secret)}</b><br>${formatMessage("Then open")}: <b>${location.protocol}//10.42.0.1${location.port && `:${location.port}`}/wifi</b></p></section>`;

loadCatalogue().then(() => {
  refresh();
  setInterval(refresh, REFRESH_MS);
});
