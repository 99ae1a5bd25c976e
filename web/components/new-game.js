// The sheet that begins a game: which, for how many, by what rules, who they are. The present game is kept, and those
// laid aside can be taken up again.

import { ask } from "../core/api.js";
import { constants } from "../core/constants.js";
import { fill, find, pressed, safe } from "../core/dom.js";
import { termName, termWords } from "../core/format.js";
import { say } from "../core/i18n.js";
import { Sheet } from "./dialog.js";
import { ago, BEGAN } from "./player-phones.js";

/** @typedef {{ key: string, values: string[], default: string, say: string }} Option */
/**
 * A game as the table offers it; `why` is why it cannot be played on this board.
 * @typedef {{ key: string, title: string, say: string, seats: number[], boards: string[], playable: boolean,
 *   why: string | null, options: Option[] }} Offered
 */
/**
 * A table of the past or the present.
 * @typedef {{ id: number, game: Api.Game, names: string[], began: string, ended: string | null, scores: number[],
 *   winner: number | null, moves: number }} Kept
 */
/**
 * What is chosen so far.
 * @typedef {{ game: Offered, seats: number, options: Record<string, string>, dealer: number | null, names: string[] }} Chosen
 */

const ASIDE = 8;
const LONGEST = 24;

/**
 * A dialogue, opened by the button in the heading.
 * @type {import("../core/component.js").Part}
 */
export function NewGame(el, { actions }) {
  const { body, open, close } = Sheet(/** @type {HTMLDialogElement} */ (el), say("A new game"));
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {Offered[]} */
  let games = [];
  /** @type {Kept[]} */
  let aside = [];
  /** @type {Chosen | null} */
  let chosen = null;

  find(document, "[data-open=new-game]").addEventListener("click", async () => {
    open();
    body.innerHTML = "";
    await look();
  });

  async function look() {
    const [offered, kept] = await Promise.all([ask("/api/games"), ask("/api/tables")]);
    games = offered?.games ?? [];
    aside = (kept?.tables ?? []).filter((/** @type {Kept} */ { ended }) => ended === null).slice(1, ASIDE + 1);
    const now = games.find(({ key, playable }) => playable && key === newest?.game.key) ?? games.find(({ playable }) => playable);
    if (now && newest) chosen = first(now, newest);
    draw();
  }

  pressed(body, async (data, button) => {
    if (!newest) return;
    if (chosen) chosen = { ...chosen, names: written(body) };
    const game = games.find(({ key }) => key === data.game);
    if (game) chosen = first(game, newest);
    else if (data.resume) return begin({ resume: Number(data.resume) }, button);
    else if (chosen && "start" in data) return begin(asked(chosen), button);
    else if (chosen) chosen = changed(chosen, data);
    return draw();
  });

  /**
   * @param {object} wanted
   * @param {HTMLButtonElement} button
   */
  async function begin(wanted, button) {
    button.disabled = true;
    const refused = await actions.begin(wanted);
    button.disabled = false;
    if (refused === null) return close();
    find(body, "[role=alert]").textContent = refused;
  }

  function draw() {
    fill(body, chosen ? `<div class="games" role="group" aria-label="${say("The game")}">${games.map((each) => choice(each, chosen)).join("")}</div>
      ${terms(chosen)}${laid(aside)}<p class="sheet-error" role="alert"></p>
      <div class="sheet-end"><button type="button" class="button main" data-start>${safe(say("Start {game}", { game: chosen.game.title }))}</button></div>`
      : `<p>${say("The table tells no games just now. Try again.")}</p>`);
  }

  return (snapshot) => {
    newest = snapshot;
  };
}

/**
 * A game as it is played unless told otherwise, by those who sit there.
 * @param {Offered} game
 * @param {Api.Snapshot} snapshot
 * @returns {Chosen}
 */
export function first(game, { players, game: present }) {
  const isSame = game.key === present.key;
  const seats = game.seats.includes(players.length) ? players.length : game.seats[0];
  const options = Object.fromEntries(game.options.map((each) => [each.key,
    isSame && each.values.includes(String(present.options[each.key])) ? String(present.options[each.key]) : each.default]));
  return { game, seats, options, dealer: null, names: players.map(({ name }) => name) };
}

/**
 * What is chosen after a tap.
 * @param {Chosen} chosen
 * @param {DOMStringMap} data
 * @returns {Chosen}
 */
export function changed(chosen, { seats, option, value, dealer }) {
  if (seats) return { ...chosen, seats: Number(seats), dealer: null };
  if (dealer !== undefined) return { ...chosen, dealer: dealer === "" ? null : Number(dealer) };
  if (option && value) return { ...chosen, options: { ...chosen.options, [option]: value } };
  return chosen;
}

/**
 * What the table is asked for. Names that nobody wrote are left to it.
 * @param {Chosen} chosen
 */
export function asked({ game, seats, options, dealer, names }) {
  const usual = usualNames(seats);
  const whole = usual.map((name, seat) => names[seat]?.trim() || name);
  const isNamed = whole.some((name, seat) => name !== usual[seat]);
  return { game: game.key, seats, options, ...(dealer === null ? {} : { dealer }), ...(isNamed ? { names: whole } : {}) };
}

/** @param {number} seats */
const usualNames = (seats) => Array.from({ length: seats }, (_, seat) =>
  seats === 4 && seat > 1 ? say("{name}'s partner", { name: constants.seats[seat - 2].name }) : constants.seats[seat].name);

/** @param {HTMLElement} body */
const written = (body) => [...body.querySelectorAll("input")].map(({ value }) => value);

/**
 * @param {Offered} game
 * @param {Chosen | null} chosen
 */
const choice = ({ key, title, say, playable, why }, chosen) => `<button type="button" class="button game" data-game="${safe(key)}"
  aria-pressed="${key === chosen?.game.key}" ${playable ? "" : "disabled"}><b>${safe(title)}</b> <span>${safe(playable ? say : why)}</span></button>`;

/** @param {Chosen} chosen */
function terms({ game, seats, options, dealer, names }) {
  const usual = usualNames(seats);
  const name = (/** @type {number} */ seat) => names[seat]?.trim() || usual[seat];
  const many = game.seats.map((each) => value(`data-seats="${each}"`, String(each), each === seats));
  const fields = usual.map((each, seat) => `<label class="naming"><span class="dot seat-${seat}" aria-hidden="true"></span>
    <span class="unseen">${say("Seat {n}", { n: seat + 1 })}</span><input type="text" data-name="${seat}" value="${safe(names[seat] ?? "")}"
      placeholder="${safe(each)}" maxlength="${LONGEST}" autocomplete="off"></label>`);
  const deals = [value('data-dealer=""', say("as usual"), dealer === null),
    ...usual.map((_, seat) => value(`data-dealer="${seat}"`, name(seat), dealer === seat))];
  return `${group(say("Players"), "", many)}
    <fieldset class="term"><legend>${say("Names")}</legend><div class="namings">${fields.join("")}</div></fieldset>
    ${seats > 1 ? group(say("Begins"), "", deals) : ""}${game.options.map((each) => option(each, options[each.key])).join("")}`;
}

/**
 * @param {Option} option
 * @param {string} now
 */
const option = ({ key, values, say }, now) => (values.length < 2 ? "" : group(termName(key), say, values.map((each) =>
  value(`data-option="${safe(key)}" data-value="${safe(each)}"`, termWords(key, each), each === now))));

/**
 * @param {string} name
 * @param {string} say
 * @param {string[]} buttons
 */
const group = (name, say, buttons) => `<fieldset class="term"><legend>${safe(name)}</legend>${say ? `<p>${safe(say)}</p>` : ""}
  <div class="choices">${buttons.join("")}</div></fieldset>`;

/**
 * @param {string} data
 * @param {string} words
 * @param {boolean} isPressed
 */
const value = (data, words, isPressed) =>
  `<button type="button" class="button" ${data} aria-pressed="${isPressed}">${safe(words)}</button>`;

/**
 * The games that were not played to their end.
 * @param {Kept[]} tables
 */
const laid = (tables) => (tables.length ? `<fieldset class="term"><legend>${say("Laid aside")}</legend><ul class="aside">${tables.map((each) =>
  `<li><span><b>${safe(each.game.title)}</b> ${safe(each.names.join(", "))}, ${safe(each.scores.join(" – "))}
    <small>${safe(ago(Date.parse(each.began), Date.now(), BEGAN))}</small></span>
    <button type="button" class="button" data-resume="${each.id}">${say("Take up again")}</button></li>`).join("")}</ul></fieldset>` : "");
