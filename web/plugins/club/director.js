// The director's dialogs: typing in a card, rulings, matches, players who leave, and the consolation.

import { createDialog } from "../../components/dialog.js";
import { escapeHtml, findElement } from "../../core/dom.js";
import { formatMessage, withLanguage } from "../../core/i18n.js";
import { saveSetting } from "../../core/preferences.js";
import { closeUnlessRefused, ENTERED_BY_SETTING, enteredByField, fieldText, findDialog, onSubmit, postChange } from "./forms.js";
import { describeLine } from "./tournament_views.js";

/** The fields of the games that both players of a match have won. */
const WIN_FIELDS = ["wins0", "wins1"];

/**
 * Create the dialogs.
 * @param {number} event
 * @param {() => void} look redraws the page
 * @param {(sentence: string) => void} refuse shows a message
 */
export function createDirector(event, look, refuse) {
  /** @type {any} */
  let shown = null;
  const names = /** @type {const} */ (["card", "ruling", "all", "match", "leaves", "joins", "consolation", "tied", "end"]);
  const sheets = Object.fromEntries(names.map((name) => [name, createDialog(findDialog(name), "")]));

  /**
   * Post a change and redraw the page, or go to the tournament that it created. Return the refusal, or "".
   * @param {string} what
   * @param {object} body
   */
  async function send(what, body) {
    const { data, refusal } = await postChange(`/api/club/tournaments/${event}/${what}`, body);
    if (data && what === "rulings") refuse(sayWhoMoved(shown.qualifiers, data.qualifiers));
    if (data && data.event.id !== event) location.assign(withLanguage(`/tournament?event=${data.event.id}`));
    else look();
    return refusal ?? "";
  }

  /**
   * Open a dialog with a form. `read` returns where to and what to send.
   * @param {string} name
   * @param {string} title
   * @param {string} fields
   * @param {string} button
   * @param {(form: HTMLFormElement) => [string, object]} read
   */
  function openForm(name, title, fields, button, read) {
    const sheet = sheets[name];
    sheet.setTitle(title);
    sheet.body.innerHTML = `<form class="form" method="dialog">${fields}${enteredByField()}<p class="sheet-error" role="alert"></p>
      <button class="button main">${button}</button></form>`;
    onSubmit(sheet.body, async (form) => {
      saveSetting(ENTERED_BY_SETTING, fieldText(form, "by"));
      const [what, body] = read(form);
      return closeUnlessRefused(sheet, await send(what, { by: fieldText(form, "by"), reason: fieldText(form, "reason"), ...body }));
    });
    sheet.open();
  }

  const openers = {
    all: () => openForm("all", formatMessage("Rule on all by rule 12.2"),
      `<p>${formatMessage("The two cards of each of these games are decided by rule 12.2. Others may qualify then, and their cards come next.")}</p>${reasonField(false)}`,
      formatMessage("Rule on all"), () => ["rulings", { all: true }]),
    tied: () => openForm("tied", formatMessage("Draw the bracket"),
      `<fieldset><legend>${formatMessage("These players are equal, and not all qualify. Let them play a game, and mark who qualifies.")}</legend>${shown.tied.map((/** @type {string} */ name) =>
        `<label class="check"><input type="checkbox" name="first" value="${escapeHtml(name)}"> ${escapeHtml(name)}</label>`).join("")}</fieldset>`,
      formatMessage("Draw the bracket"), (form) => ["bracket", { first: new FormData(form).getAll("first") }]),
    card: () => openCardForm(sheets.card, event, shown, send),
    leaves: () => openForm("leaves", formatMessage("A player leaves"), `<label>${formatMessage("Player")}${playerSelect(shown)}</label>
      <p>${formatMessage("The opponents of all games without an entry get a bye. If the player writes on paper, enter the card first, so that played games count.")}</p>${reasonField(true)}`,
      formatMessage("Leaves"), (form) => ["players", { player: fieldText(form, "player") }]),
    joins: () => openForm("joins", formatMessage("A player comes late"), `<label>${formatMessage("Player")}<input name="player" required maxlength="24" autocomplete="off"></label>
      <p>${formatMessage("In each round without an entry the player meets the one who has the bye.")}</p>${reasonField(false)}`,
      formatMessage("Joins"), (form) => ["players", { player: fieldText(form, "player"), joins: true }]),
    end: () => openForm("end", formatMessage("End the night"),
      `<p>${formatMessage("The phones deal no more cards, and everybody sees the seed. This cannot be taken back. Results can still be entered and corrected, but not removed.")}</p>${reasonField(false)}`,
      formatMessage("End the night"), () => ["end", {}]),
    consolation: () => {
      const others = shown.standings.length - shown.gone.length - shown.qualifiers.length;
      openForm("consolation", formatMessage("Consolation"), `<p>${formatMessage("A tournament for all who have not qualified.")}</p>
        <label>${formatMessage("Name")}<input name="name" required maxlength="24" value="${escapeHtml(formatMessage("Consolation"))}"></label>
        <label>${formatMessage("Games of each player")}<input name="games" type="number" inputmode="numeric" min="1" max="60" value="${Math.max(1, Math.min(9, others - 1))}" required></label>`,
        formatMessage("Create event"), (form) => ["consolation", { name: fieldText(form, "name"), games: Number(fieldText(form, "games")) }]);
    },
  };

  return {
    /** @param {any} newest */
    update: (newest) => void (shown = newest),
    /** @param {DOMStringMap} data */
    handleButton: async ({ open, rule, match }) => {
      if (open === "draw" || open === "undraw") refuse(await send("bracket", { by: "-", take_back: open === "undraw" }));
      else if (open) openers[/** @type {"all"} */ (open)]?.();
      if (rule) openRuling(shown.discrepancies.find((/** @type {any} */ each) => `${each.round}/${each.number}` === rule), openForm);
      if (match) openMatch(shown.bracket.flat().find((/** @type {any} */ each) => `${each.round}/${each.number}` === match), openForm);
    },
  };
}

/**
 * Return whom to tell that a ruling has changed who qualifies or in which place (rule 12.2i); "" if it has not.
 * @param {string[]} before
 * @param {string[]} after
 */
export function sayWhoMoved(before, after) {
  const moved = [...new Set([...before, ...after])].filter((name) => before.indexOf(name) !== after.indexOf(name));
  return moved.length ? formatMessage("Tell these players that a correction has changed who qualifies (rule 12.2i): {names}.", { names: moved.join(", ") }) : "";
}

/**
 * The form of a ruling: both lines as rule 12.2 has them, which can be changed with a reason.
 * @param {any} game
 * @param {(name: string, title: string, fields: string, button: string, read: (form: HTMLFormElement) => [string, object]) => void} openForm
 */
function openRuling(game, openForm) {
  const proposed = game.ruling?.lines ?? game.lines;
  const columns = `<div class="row" aria-hidden="true"><span></span><span>${formatMessage("pts")}</span><span>+</span><span>−</span></div>`;
  const rows = columns + [game.one, game.two].map((name, n) => `<p>${escapeHtml(name)}: ${escapeHtml(describeLine(game.lines[n]))}</p>
    <div class="row"><span>${formatMessage("counts as")}</span>${lineFields(proposed[n], n).join("")}</div>`).join("");
  const rule = game.ruling ? formatMessage("Rule {rule} gives these lines. Change them only with a reason.", game.ruling)
    : formatMessage("Rule 12.2 does not decide this game. Enter both lines and a reason.");
  openForm("ruling", formatMessage("Round {n}: {one} – {two}", { n: game.round, ...game }), `${rows}<p>${escapeHtml(rule)}</p>${reasonField(false)}`,
    formatMessage("Rule"), (form) => {
      const lines = [0, 1].map((n) => readLine(form, n));
      const isByRule = game.ruling && JSON.stringify(lines) === JSON.stringify(proposed);
      return ["rulings", { round: game.round, number: game.number, ...(isByRule ? {} : { lines }) }];
    });
}

/**
 * The form of a match.
 * @param {any} match
 * @param {(name: string, title: string, fields: string, button: string, read: (form: HTMLFormElement) => [string, object]) => void} openForm
 */
function openMatch(match, openForm) {
  const most = Math.floor(match.best_of / 2) + 1;
  const fields = [match.one, match.two].map((name, n) =>
    `<label>${escapeHtml(formatMessage("Games won by {name}", { name }))}<input name="${WIN_FIELDS[n]}" type="number" inputmode="numeric" min="0" max="${most}" value="${match.wins[n]}" required></label>`);
  openForm("match", formatMessage("Best of {n}", { n: match.best_of }), fields.join("") + reasonField(false), formatMessage("Save"),
    (form) => ["matches", { round: match.round, number: match.number, wins: WIN_FIELDS.map((name) => Number(fieldText(form, name))) }]);
}

/**
 * The form of a whole card, with the columns of the paper.
 * @param {{ body: HTMLElement, open: () => void, close: () => void, setTitle: (text: string) => void }} sheet
 * @param {number} event
 * @param {any} shown
 * @param {(what: string, body: object) => Promise<string>} send
 */
function openCardForm(sheet, event, shown, send) {
  sheet.setTitle(formatMessage("Enter a card"));
  sheet.body.innerHTML = `<form class="form" method="dialog"><label>${formatMessage("Player")}${playerSelect(shown, true)}</label>
    <p>${formatMessage("Type what is written on the card, also if it is wrong: the cross-check compares it with the other card.")}</p>
    <div data-lines></div>${enteredByField()}<p class="sheet-error" role="alert"></p><button class="button main">${formatMessage("Save card")}</button></form>`;
  /** @type {any[]} */
  let lines = [];
  const choice = /** @type {HTMLSelectElement} */ (findElement(sheet.body, "select"));
  choice.addEventListener("change", async () => {
    const player = choice.value, place = findElement(sheet.body, "[data-lines]");
    lines = [];
    place.innerHTML = "";
    const reply = await fetch(withLanguage(`/api/club/tournaments/${event}/cards?player=${encodeURIComponent(player)}`)).catch(() => null);
    const card = reply?.ok ? await reply.json() : { lines: [] };
    if (choice.value !== player) return; // another one was chosen meanwhile
    lines = card.lines.filter((/** @type {any} */ line) => line.opponent !== null);
    const isCorrection = lines.some(({ points, spread }) => points !== null || spread !== null);
    place.innerHTML = `<table class="card-lines"><thead><tr><th>${formatMessage("Opponent")}</th>
      <th><abbr title="${formatMessage("game points")}">${formatMessage("pts")}</abbr></th><th>+</th><th>−</th></tr></thead><tbody>${lines.map((line, n) =>
      `<tr><td>${line.round}. ${escapeHtml(line.opponent)}</td>${lineFields(line, n, line.opponent).map((field) => `<td>${field}</td>`).join("")}</tr>`).join("")}</tbody></table>${isCorrection ? reasonField(false) : ""}`;
  });
  onSubmit(sheet.body, async (form) => {
    saveSetting(ENTERED_BY_SETTING, fieldText(form, "by"));
    const changed = lines.map((line, n) => ({ round: line.round, ...readLine(form, n) }))
      .filter(({ points, spread }, n) => points !== lines[n].points || spread !== lines[n].spread);
    if (!changed.length) return formatMessage("Nothing was changed.");
    const refusal = await send("cards", { player: choice.value, lines: changed, by: fieldText(form, "by"), reason: fieldText(form, "reason") });
    if (!refusal) {
      choice.value = "";
      lines = [];
      findElement(sheet.body, "[data-lines]").innerHTML = `<p role="status">${formatMessage("Saved. Choose the next player.")}</p>`;
    }
    return refusal;
  });
  sheet.open();
}

/**
 * Return the three fields of a line.
 * @param {{ points: number | null, spread: number | null }} line
 * @param {number} n
 * @param {string} [name] of the opponent
 */
function lineFields({ points, spread }, n, name = "") {
  const field = (/** @type {string} */ key, /** @type {string} */ label, /** @type {number | null | ""} */ value, /** @type {number} */ most) =>
    `<input name="${key}${n}" type="number" inputmode="numeric" min="0" max="${most}" value="${value ?? ""}" aria-label="${escapeHtml(`${label} ${name}`.trim())}" placeholder="${label}">`;
  return [field("points", formatMessage("pts"), points, 9), field("plus", "+", spread !== null && spread > 0 ? spread : "", 121),
    field("minus", "−", spread !== null && spread <= 0 ? -spread : "", 121)];
}

/**
 * Read the three fields of a line.
 * @param {HTMLFormElement} form
 * @param {number} n
 */
function readLine(form, n) {
  const [points, plus, minus] = ["points", "plus", "minus"].map((key) => fieldText(form, `${key}${n}`));
  return { points: points === "" ? null : Number(points), spread: plus !== "" ? Number(plus) : minus === "" ? null : Number(minus) ? -Number(minus) : 0 };
}

/**
 * Return the choice of a player.
 * @param {any} shown
 * @param {boolean} hasGone
 */
function playerSelect({ standings, gone }, hasGone = false) {
  const names = standings.map((/** @type {any} */ row) => row.player).filter((/** @type {string} */ name) => hasGone || !gone.includes(name)).sort();
  return `<select name="player" required><option value="">${formatMessage("Choose")}</option>${names.map((/** @type {string} */ name) =>
    `<option>${escapeHtml(name)}</option>`).join("")}</select>`;
}

/** @param {boolean} isRequired */
const reasonField = (isRequired) => `<label>${isRequired ? formatMessage("Reason") : formatMessage("Reason (may be empty)")}<input name="reason" maxlength="200" autocomplete="off" ${isRequired ? "required" : ""}></label>`;
