// The ways to play that the first page and the dialog of a new game offer: alone or together, on which board.

import { fetchApiOrNull } from "../../core/api.js";
import { escapeHtml, findElement, onButtonClick, replaceHtml } from "../../core/dom.js";
import { formatMessage, gettextNoop } from "../../core/i18n.js";
import { HAND_SIZES } from "../../games/hand-sizes.js";
import { pegsOnly } from "../../games/pegs-only.js";

/**
 * A way to play. `request` are the fields of `POST /api/table` that it fixes, `offers` says which games are played in it; `why` is
 * the reason it cannot be chosen. `isLast`: the last game was played in this way.
 * @typedef {{ key: string, icon: string, title: string, say: string, offers: (game: string) => boolean, why: string, isLast: boolean,
 *   request: Partial<NewGame> }} Way
 */
/** @typedef {{ game: string, pegs: "plain" | "read", against: { seat: number, level: string } | null }} NewGame */

const PLAIN = /** @type {const} */ ("plain");
const COMPANION_SEAT = 1;
const DEFAULT_LEVEL = "club";

const isPegsOnly = (/** @type {string} */ game) => game === pegsOnly.key;
const WAYS = {
  against: { icon: "🂡", title: gettextNoop("Play against the companion"), say: gettextNoop("You need only this phone: the companion deals, plays and counts."),
    offers: (/** @type {string} */ game) => game in HAND_SIZES },
  "pegs-only": { icon: "✎", title: gettextNoop("Our own board, just keep score"), say: gettextNoop("You play with your cards and board; the phone keeps the score."),
    offers: isPegsOnly },
  plain: { icon: "♣", title: gettextNoop("Our own board, count the cards"), say: gettextNoop("Tell the phone which cards are played, and it counts them."),
    offers: (/** @type {string} */ game) => !isPegsOnly(game) },
  simulated: { icon: "▶", title: gettextNoop("Try it: simulated board"), say: gettextNoop("Lift and place pegs on a board on the screen."), offers: () => true },
  board: { icon: "◉", title: gettextNoop("The board that knows"), say: gettextNoop("A board with sensors and lights reads every peg."), offers: () => true },
};

/**
 * Return all ways, the one of the snapshot's game first. A way that cannot be had here has the reason in `why`.
 * @param {Api.Snapshot} snapshot
 * @returns {Way[]}
 */
export function listWays(snapshot) {
  const sensors = snapshot.devices.sensors?.url ?? "none:";
  const isSimulated = sensors.startsWith("sim:"), hasBoard = !isSimulated && !sensors.startsWith("none:");
  const isRemote = "remote" in snapshot.devices;
  const pegs = hasBoard ? undefined : PLAIN;
  const ways = /** @type {[keyof typeof WAYS, string, object][]} */ ([
    ["against", isRemote ? formatMessage("A remote game is played by people.") : "",
      { game: "six-card", ...(pegs && { pegs }), against: { seat: COMPANION_SEAT, level: snapshot.game.against?.level ?? DEFAULT_LEVEL } }],
    ["pegs-only", isRemote ? formatMessage("A remote game is played with cards.") : "", { game: "pegs-only", pegs: PLAIN, against: null }],
    ["plain", "", { game: "six-card", pegs: PLAIN, against: null }],
    ["simulated", isSimulated ? "" : formatMessage("This table was started without a simulated board."), { game: "six-card", pegs: "read", against: null }],
    ["board", hasBoard ? "" : formatMessage("No board with sensors is connected."), { game: "six-card", pegs: "read", against: null }],
  ]).map(([key, why, request]) => ({ key, ...WAYS[key], why, request, isLast: snapshot.moves > 0 && key === wayOf(snapshot) })); // without any move, the game is the program's default
  const first = hasBoard ? wayOf(snapshot) : "";
  return ways.sort((one, other) => Number(other.isLast) - Number(one.isLast) || Number(other.key === first) - Number(one.key === first) || Number(!!one.why) - Number(!!other.why));
}

/** Return the way in which the current game is played. @param {Api.Snapshot} snapshot */
export function wayOf({ game, devices }) {
  if (game.against) return "against";
  if (game.pegs === PLAIN) return isPegsOnly(game.key) ? "pegs-only" : "plain";
  return devices.sensors?.url.startsWith("sim:") ? "simulated" : "board";
}

/**
 * The question of the first page of a table at which nobody has begun a game: it opens the dialog of a new game.
 * @type {import("../../core/component.js").Component}
 */
export function FirstChoice(el, { isPlayer }) {
  let askedAt = "", isShown = false;
  onButtonClick(el, ({ way }) => {
    findElement(document, "dialog[data-part=new-game]").dataset.way = way;
    findElement(document, "[data-open=new-game]").click();
  });
  return async (snapshot) => {
    const moment = snapshot.moves === 0 && isPlayer() ? `${snapshot.run} ${snapshot.number}` : ""; // a new game may look like the one before
    if (moment !== askedAt) {
      askedAt = moment;
      const list = moment ? await fetchApiOrNull("/api/tables") : null;
      if (askedAt !== moment) return; // a newer snapshot asks
      isShown = list?.tables.length === 1;
    }
    el.hidden = !isShown;
    replaceHtml(el, isShown ? `<h2>${formatMessage("How do you want to play?")}</h2>
      <div class="game-ways" role="group">${wayButtons(listWays(snapshot))}</div>
      <p><a href="/learn">${escapeHtml(formatMessage("Never played cribbage? Learn it in a first game."))}</a></p>` : "");
  };
}

/**
 * Return the buttons of the ways. `chosen` is the key of the way that was tapped.
 * @param {Way[]} ways
 * @param {string} chosen
 */
export const wayButtons = (ways, chosen = "") => ways.map(({ key, icon, title, say, why, isLast }) => `<button type="button" class="button game-way"
  data-way="${key}" aria-pressed="${key === chosen}" ${why ? "disabled" : ""}><span class="way-icon" aria-hidden="true">${icon}</span>
  <b>${escapeHtml(formatMessage(title))}${isLast ? ` <small class="tag">${formatMessage("Last time")}</small>` : ""}</b> <span>${escapeHtml(why || formatMessage(say))}</span></button>`).join("");
