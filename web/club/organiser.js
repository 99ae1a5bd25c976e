// The organiser's forms: a new event, results and their corrections, who comes late and who goes home. Each is a sheet that
// stays as it is while the page behind it is drawn anew; a refusal is told in the sheet and nothing is lost of what was typed.

import { createDialog } from "../components/dialog.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { formatMessage, withLanguage } from "../core/i18n.js";
import { loadSetting, saveSetting } from "../core/preferences.js";
import { sayings } from "./views.js";

const SKUNK = 31;
/** Who entered results last on this phone is asked for no second time. */
const WHO = "club-by";

/**
 * What the archive answers to a change, or the sentence of its refusal.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{ told?: any, refusal?: string }>}
 */
async function post(path, body) {
  try {
    const reply = await fetch(withLanguage(path), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const told = await reply.json();
    return reply.ok ? { told } : { refusal: told.error };
  } catch {
    return { refusal: formatMessage("The archive could not be reached: nothing was changed.") };
  }
}

/**
 * @param {(event: string) => void} choose looks at another event
 * @param {() => void} look draws the page anew
 * @param {(sentence: string) => void} refuse
 */
export function Organiser(choose, look, refuse) {
  /** @type {any} */
  let room = null;
  const newEvent = EventSheet(choose);
  const result = ResultSheet(look);
  const players = PlayersSheet(look);

  /** @param {object} body */
  const round = async (body) => {
    const { refusal } = await post(`/api/club/events/${room.event.id}/rounds`, body);
    refuse(refusal ?? "");
    look();
  };

  return {
    /** What the page shows now. @param {any} told */
    hears: (told) => {
      room = told;
      players.draw(told);
    },
    /** @param {DOMStringMap} data */
    press: ({ open, game, pair, unpair }) => {
      if (open === "event") newEvent(room);
      if (open === "players") players.open();
      if (pair !== undefined) round({});
      if (unpair !== undefined) round({ take_back: true });
      if (game) result(room.event.id, room.games.find((/** @type {any} */ each) => `${each.round}/${each.number}` === game));
    },
  };
}

/** @param {string} name */
const dialog = (name) => /** @type {HTMLDialogElement} */ (findElement(document, `[data-sheet="${name}"]`));

/** @param {(event: string) => void} choose */
function EventSheet(choose) {
  const sheet = createDialog(dialog("event"), formatMessage("New event"));
  return (/** @type {any} */ room) => {
    const before = (room?.standings ?? []).map((/** @type {any} */ each) => each.player).filter((/** @type {string} */ name) => !(room.gone ?? []).includes(name));
    sheet.body.innerHTML = `<form class="form" method="dialog">
      <label>${formatMessage("Name")}<input name="name" required maxlength="24" autocomplete="off"></label>
      <label>${formatMessage("Who meets whom")}<select name="kind"><option value="swiss">${formatMessage("Swiss: neighbours in the standings meet")}</option>
        <option value="round-robin">${formatMessage("Round robin: everybody meets everybody once")}</option></select></label>
      <label>${formatMessage("Rounds; 0 for as many as there are")}<input name="rounds" type="number" inputmode="numeric" min="0" max="200" value="0" required></label>
      <label>${formatMessage("Players, one in each line")}<textarea name="players" rows="8" autocapitalize="words" autocomplete="off" spellcheck="false">${escapeHtml(before.join("\n"))}</textarea></label>
      <p class="sheet-error" role="alert"></p>
      <button class="button main">${formatMessage("Begin")}</button></form>`;
    submitted(sheet.body, async (form) => {
      const names = text(form, "players").split("\n").map((each) => each.trim()).filter(Boolean);
      const body = { name: text(form, "name"), kind: text(form, "kind"), rounds: Number(text(form, "rounds")), players: names };
      const { told, refusal } = await post("/api/club/events", body);
      if (told) choose(String(told.event.id));
      return done(sheet, refusal);
    });
    sheet.open();
  };
}

/** @param {() => void} look */
function ResultSheet(look) {
  const sheet = createDialog(dialog("result"), "");
  return (/** @type {number} */ event, /** @type {any} */ game) => {
    sheet.setTitle(formatMessage("Round {n}: {one} – {two}", { n: game.round, one: game.one, two: game.two }));
    sheet.body.innerHTML = form(game);
    const fields = /** @type {HTMLFormElement} */ (findElement(sheet.body, "form"));
    const [spread, skunk] = ["spread", "skunk"].map((name) => /** @type {HTMLInputElement} */ (fields.elements.namedItem(name)));
    spread.addEventListener("input", () => (skunk.checked = Number(spread.value) >= SKUNK));
    submitted(sheet.body, async (_, button) => {
      const isBack = button?.value === "back";
      saveSetting(WHO, text(fields, "by"));
      const winner = isBack ? null : text(fields, "winner");
      const body = { round: game.round, number: game.number, winner, by: text(fields, "by"),
        skunk: skunk.checked && !isBack, spread: isBack ? 0 : Number(spread.value) };
      const { refusal } = await post(`/api/club/events/${event}/results`, body);
      look();
      return done(sheet, refusal);
    });
    sheet.open();
  };
}

/** @param {any} game */
function form(game) {
  const choice = (/** @type {string} */ name) => `<label class="button choice"><input type="radio" name="winner" value="${escapeHtml(name)}" required ${
    game.winner === name ? "checked" : ""}> <span>${escapeHtml(name)}</span></label>`;
  const said = sayings(game);
  return `<form class="form" method="dialog">
    <fieldset><legend>${formatMessage("Who won?")}</legend><div class="pair">${choice(game.one)}${choice(game.two)}</div></fieldset>
    <label>${formatMessage("By how many points")}<input name="spread" type="number" inputmode="numeric" min="0" max="121" value="${game.winner ? game.spread : ""}" required></label>
    <label class="check"><input name="skunk" type="checkbox" ${game.is_skunk ? "checked" : ""}> ${formatMessage("A skunk: the loser had 90 points or fewer")}</label>
    <label>${formatMessage("Entered by")}<input name="by" required maxlength="24" autocomplete="name" value="${escapeHtml(loadSetting(WHO) ?? "")}"></label>
    <p class="sheet-error" role="alert"></p>
    <button class="button main">${game.winner ? formatMessage("Correct it") : formatMessage("Keep")}</button>
    ${game.winner ? `<button class="button" value="back">${formatMessage("There is no result yet")}</button>` : ""}</form>
    ${said ? `<h3>${formatMessage("What was said of it")}</h3><ul class="sayings">${said}</ul>` : ""}`;
}

/** @param {() => void} look */
function PlayersSheet(look) {
  const sheet = createDialog(dialog("players"), formatMessage("Players"));
  sheet.body.innerHTML = `<form class="form" method="dialog"><label>${formatMessage("Who comes late plays from the next round on")}
    <input name="name" required maxlength="24" autocomplete="off"></label><p class="sheet-error" role="alert"></p>
    <button class="button main">${formatMessage("Enter")}</button></form><ul class="entered"></ul>`;
  const list = findElement(sheet.body, ".entered");
  let event = 0;

  /** @param {object} body */
  const change = async (body) => {
    const { told, refusal } = await post(`/api/club/events/${event}/players`, body);
    if (told) draw(told);
    look();
    return refusal ?? "";
  };

  /** @param {any} told */
  function draw({ event: shown, standings, gone = [] }) {
    if (!shown) return;
    event = shown.id;
    morphHtml(list, standings.map((/** @type {{ player: string }} */ { player }) => `<li><span>${escapeHtml(player)}</span>${gone.includes(player)
      ? `<button type="button" class="button" data-back="${escapeHtml(player)}" aria-label="${escapeHtml(formatMessage("{name} is back", { name: player }))}">${formatMessage("Is back")}</button>`
      : `<button type="button" class="button" data-leaves="${escapeHtml(player)}" aria-label="${escapeHtml(formatMessage("{name} goes home", { name: player }))}">${formatMessage("Goes home")}</button>`}</li>`).join(""));
  }

  onButtonClick(list, async ({ back, leaves }) => {
    findElement(sheet.body, "[role=alert]").textContent = await change(leaves ? { name: leaves, leaves: true } : { name: back });
  });
  submitted(sheet.body, async (form) => {
    const refusal = await change({ name: text(form, "name") });
    if (!refusal) form.reset();
    return refusal;
  });
  return { draw, open: sheet.open };
}

/**
 * Close the sheet, unless there is a refusal to be told in it.
 * @param {{ close: () => void }} sheet
 * @param {string} [refusal]
 */
function done(sheet, refusal) {
  if (!refusal) sheet.close();
  return refusal ?? "";
}

/**
 * What is written in a field.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
const text = (form, name) => String(new FormData(form).get(name) ?? "").trim();

/**
 * Once a form is sent, and not twice while the archive has not answered: `send` gives the sentence of a refusal.
 * @param {HTMLElement} within
 * @param {(form: HTMLFormElement, button: HTMLButtonElement | null) => Promise<string>} send
 */
function submitted(within, send) {
  const form = /** @type {HTMLFormElement} */ (findElement(within, "form"));
  let isSending = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    const refusal = await send(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
    findElement(form, "[role=alert]").textContent = refusal;
    isSending = false;
  });
}
