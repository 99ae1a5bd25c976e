// The dialog that starts a game: which game, how many players, options, and names. The current game is kept, and
// unfinished games can be resumed.

import { fetchApiOrNull } from "../core/api.js";
import { constants } from "../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { BEGAN_AGO, formatTimeAgo, optionName, optionValueName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { createDialog } from "./dialog.js";

/** @typedef {{ key: string, values: string[], default: string, say: string }} Option */
/**
 * A game that the table offers; `why` is the reason it cannot be played on this board.
 * @typedef {{ key: string, title: string, say: string, seats: number[], boards: string[], playable: boolean,
 *   why: string | null, options: Option[] }} OfferedGame
 */
/**
 * A game in the table's list.
 * @typedef {{ id: number, game: Api.Game, names: string[], began: string, ended: string | null, scores: number[],
 *   winner: number | null, moves: number }} ListedGame
 */
/**
 * The current selection.
 * @typedef {{ game: OfferedGame, seats: number, options: Record<string, string>, dealer: number | null, names: string[] }} Selection
 */

const MAX_UNFINISHED = 8;
const MAX_NAME_LENGTH = 24;

/**
 * The dialog. It is opened by the button in the heading.
 * @type {import("../core/component.js").Component}
 */
export function NewGame(el, { actions }) {
  const { body, open, close } = createDialog(/** @type {HTMLDialogElement} */ (el), formatMessage("A new game"));
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {OfferedGame[]} */
  let games = [];
  /** @type {ListedGame[]} */
  let unfinished = [];
  /** @type {Selection | null} */
  let chosen = null;

  findElement(document, "[data-open=new-game]").addEventListener("click", async () => {
    open();
    body.innerHTML = "";
    await load();
  });

  async function load() {
    const [offered, list] = await Promise.all([fetchApiOrNull("/api/games"), fetchApiOrNull("/api/tables")]);
    games = offered?.games ?? [];
    unfinished = (list?.tables ?? []).filter((/** @type {ListedGame} */ { ended }) => ended === null).slice(1, MAX_UNFINISHED + 1);
    const now = games.find(({ key, playable }) => playable && key === newest?.game.key) ?? games.find(({ playable }) => playable);
    if (now && newest) chosen = defaultSelection(now, newest);
    draw();
  }

  onButtonClick(body, async (data, button) => {
    if (!newest) return;
    if (chosen) chosen = { ...chosen, names: enteredNames(body) };
    const game = games.find(({ key }) => key === data.game);
    if (game) chosen = defaultSelection(game, newest);
    else if (data.resume) return start({ resume: Number(data.resume) }, button);
    else if (chosen && "start" in data) return start(gameRequest(chosen), button);
    else if (chosen) chosen = applyChoice(chosen, data);
    return draw();
  });

  /**
   * Start or resume a game.
   * @param {object} request
   * @param {HTMLButtonElement} button
   */
  async function start(request, button) {
    button.disabled = true;
    const refusal = await actions.startGame(request);
    button.disabled = false;
    if (refusal === null) return close();
    findElement(body, "[role=alert]").textContent = refusal;
  }

  function draw() {
    morphHtml(body, chosen ? `<div class="games" role="group" aria-label="${formatMessage("The game")}">${games.map((each) => gameButton(each, chosen)).join("")}</div>
      ${optionsForm(chosen)}${unfinishedGames(unfinished)}<p class="sheet-error" role="alert"></p>
      <div class="sheet-end"><button type="button" class="button main" data-start>${escapeHtml(formatMessage("Start {game}", { game: chosen.game.title }))}</button></div>`
      : `<p>${formatMessage("Couldn't load the games. Try again.")}</p>`);
  }

  return (snapshot) => {
    newest = snapshot;
  };
}

/**
 * Return the selection for a game with its default options and the players who sit there now.
 * @param {OfferedGame} game
 * @param {Api.Snapshot} snapshot
 * @returns {Selection}
 */
export function defaultSelection(game, { players, game: present }) {
  const isSame = game.key === present.key;
  const seats = game.seats.includes(players.length) ? players.length : game.seats[0];
  const options = Object.fromEntries(game.options.map((each) => [each.key,
    isSame && each.values.includes(String(present.options[each.key])) ? String(present.options[each.key]) : each.default]));
  return { game, seats, options, dealer: null, names: players.map(({ name: nameOf }) => nameOf) };
}

/**
 * Return the selection after a tap.
 * @param {Selection} chosen
 * @param {DOMStringMap} data
 * @returns {Selection}
 */
export function applyChoice(chosen, { seats, option, value, dealer }) {
  if (seats) return { ...chosen, seats: Number(seats), dealer: null };
  if (dealer !== undefined) return { ...chosen, dealer: dealer === "" ? null : Number(dealer) };
  if (option && value) return { ...chosen, options: { ...chosen.options, [option]: value } };
  return chosen;
}

/**
 * Return the body of the request. Names that were not entered are left to the table.
 * @param {Selection} chosen
 */
export function gameRequest({ game, seats, options, dealer, names }) {
  const defaults = defaultNames(seats);
  const allNames = defaults.map((name, seat) => names[seat]?.trim() || name);
  const isNamed = allNames.some((name, seat) => name !== defaults[seat]);
  return { game: game.key, seats, options, ...(dealer === null ? {} : { dealer }), ...(isNamed ? { names: allNames } : {}) };
}

/** @param {number} seats */
const defaultNames = (seats) => Array.from({ length: seats }, (_, seat) =>
  seats === 4 && seat > 1 ? formatMessage("{name}'s partner", { name: constants.seats[seat - 2].name }) : constants.seats[seat].name);

/**
 * Return the names in the input fields.
 * @param {HTMLElement} body
 */
const enteredNames = (body) => [...body.querySelectorAll("input")].map(({ value }) => value);

/**
 * @param {OfferedGame} game
 * @param {Selection | null} chosen
 */
const gameButton = ({ key, title, say, playable, why }, chosen) => `<button type="button" class="button game" data-game="${escapeHtml(key)}"
  aria-pressed="${key === chosen?.game.key}" ${playable ? "" : "disabled"}><b>${escapeHtml(title)}</b> <span>${escapeHtml(playable ? say : why)}</span></button>`;

/** @param {Selection} chosen */
function optionsForm({ game, seats, options, dealer, names }) {
  const usual = defaultNames(seats);
  const name = (/** @type {number} */ seat) => names[seat]?.trim() || usual[seat];
  const many = game.seats.map((each) => choiceButton(`data-seats="${each}"`, String(each), each === seats));
  const fields = usual.map((each, seat) => `<label class="name-row"><span class="dot seat-${seat}" aria-hidden="true"></span>
    <span class="unseen">${formatMessage("Seat {n}", { n: seat + 1 })}</span><input type="text" data-name="${seat}" value="${escapeHtml(names[seat] ?? "")}"
      placeholder="${escapeHtml(each)}" maxlength="${MAX_NAME_LENGTH}" autocomplete="off"></label>`);
  const deals = [choiceButton('data-dealer=""', formatMessage("default"), dealer === null),
    ...usual.map((_, seat) => choiceButton(`data-dealer="${seat}"`, name(seat), dealer === seat))];
  return `${buttonGroup(formatMessage("Players"), "", many)}
    <fieldset class="term"><legend>${formatMessage("Names")}</legend><div class="name-fields">${fields.join("")}</div></fieldset>
    ${seats > 1 ? buttonGroup(formatMessage("First dealer"), "", deals) : ""}${game.options.map((each) => optionGroup(each, options[each.key])).join("")}`;
}

/**
 * @param {Option} option
 * @param {string} now
 */
const optionGroup = ({ key, values, say }, now) => (values.length < 2 ? "" : buttonGroup(optionName(key), say, values.map((each) =>
  choiceButton(`data-option="${escapeHtml(key)}" data-value="${escapeHtml(each)}"`, optionValueName(key, each), each === now))));

/**
 * @param {string} name
 * @param {string} say
 * @param {string[]} buttons
 */
const buttonGroup = (name, say, buttons) => `<fieldset class="term"><legend>${escapeHtml(name)}</legend>${say ? `<p>${escapeHtml(say)}</p>` : ""}
  <div class="choices">${buttons.join("")}</div></fieldset>`;

/**
 * @param {string} data
 * @param {string} label
 * @param {boolean} isPressed
 */
const choiceButton = (data, label, isPressed) =>
  `<button type="button" class="button" ${data} aria-pressed="${isPressed}">${escapeHtml(label)}</button>`;

/**
 * Return the list of unfinished games.
 * @param {ListedGame[]} tables
 */
const unfinishedGames = (tables) => (tables.length ? `<fieldset class="term"><legend>${formatMessage("Unfinished games")}</legend><ul class="game-list">${tables.map((each) =>
  `<li><span><b>${escapeHtml(each.game.title)}</b> ${escapeHtml(each.names.join(", "))}, ${escapeHtml(each.scores.join(" – "))}
    <small>${escapeHtml(formatTimeAgo(Date.parse(each.began), Date.now(), BEGAN_AGO))}</small></span>
    <button type="button" class="button" data-resume="${each.id}">${formatMessage("Resume")}</button></li>`).join("")}</ul></fieldset>` : "");
