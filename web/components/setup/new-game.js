// The dialog that starts a game: the way to play, names, and under Rules the game, the players and the options. The
// current game is kept, and unfinished games can be resumed.

import { fetchApiOrNull } from "../../core/api.js";
import { constants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick, setText } from "../../core/dom.js";
import { BEGAN_AGO, defaultPartnerName, formatTimeAgo, optionName, optionValueName } from "../../core/format.js";
import { formatMessage, gettextNoop, withLanguage } from "../../core/i18n.js";
import { SEATED_SETTING, saveSetting } from "../../core/preferences.js";
import { HAND_SIZES } from "../../games/hand-sizes.js";
import { pegsOnly } from "../../games/pegs-only.js";
import { loadScan } from "../camera/scan-button.js";
import { myHand } from "../cards/my-hand.js";
import { createDialog } from "../dialog.js";
import { cutCards, cutForm, dealerOf, newCut } from "./cut-for-deal.js";
import { listWays, wayButtons } from "./ways-to-play.js";

/** @import { Way } from "./ways-to-play.js" */
/** @typedef {Api.Offered} OfferedGame a game that the table offers; `why` is the reason it cannot be played on this board */
/** @typedef {OfferedGame["options"][number]} Option */
/**
 * A game in the table's list.
 * @typedef {{ id: number, game: Api.Game, names: string[], began: string, ended: string | null, scores: number[],
 *   winner: number | null, moves: number }} ListedGame
 */
/**
 * The current selection. `way` is null until one is tapped; then its `request` fixes the pegs and the companion's seat.
 * A suggested way is that of the last game: until one is tapped, it follows the game that is chosen. `board` is null for the
 * game's default board.
 * @typedef {{ game: OfferedGame, seats: number, options: Record<string, string>, dealer: number | null, names: string[],
 *   cut?: import("./cut-for-deal.js").Cut | null, board?: string | null, way?: Way | null, isWaySuggested?: boolean }} Selection
 */

const MAX_UNFINISHED = 8;
const LEVELS = [["novice", gettextNoop("Beginner")], ["club", gettextNoop("Intermediate")], ["expert", gettextNoop("Expert")]];
const MAX_NAME_LENGTH = 24;

/** The dialog. It is opened by the button in the heading. @type {import("../../core/component.js").Component} */
export function NewGame(el, { actions }) {
  const { body, open, close } = createDialog(/** @type {HTMLDialogElement} */ (el), formatMessage("New game"));
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {OfferedGame[]} */
  let games = [];
  /** @type {ListedGame[]} */
  let unfinished = [];
  /** @type {string[]} */
  let people = [];
  /** @type {Selection | null} */
  let chosen = null;
  let wasWay = "";
  let newestLoad = 0;
  let isWayFixed = false; // tapped on the first page, whose question is not asked again

  findElement(document, "[data-open=new-game]").addEventListener("click", async () => {
    const { way } = el.dataset;
    isWayFixed = way !== undefined;
    open();
    morphHtml(body, "");
    await load();
    if (!way) return;
    delete el.dataset.way;
    chooseWay(way);
    draw();
  });

  /** @param {string} key */
  function chooseWay(key) {
    const way = newest && listWays(newest).find((each) => each.key === key);
    const game = way && games.find((each) => each.key === way.request.game);
    if (!way || !game?.playable) return;
    chooseGame(game, way);
  }

  /**
   * @param {OfferedGame} game
   * @param {Way | null | undefined} way
   */
  function chooseGame(game, way, isWaySuggested = false) {
    if (!newest) return;
    if (way && !way.offers(game.key)) way = listWays(newest).find(({ request, offers }) => !request.against && request.pegs === way?.request.pegs && offers(game.key));
    const selection = { ...defaultSelection(game, newest, chosen?.names ?? people), way, isWaySuggested };
    chosen = way?.request.against ? { ...selection, seats: 2, options: { ...selection.options, counting: "auto" } } : selection;
  }

  async function load() {
    const load = ++newestLoad;
    const [offered, list, seated] = await Promise.all(["/api/games", "/api/tables", "/api/players"].map((path) => fetchApiOrNull(path)));
    if (load !== newestLoad) return; // closed and opened again meanwhile
    games = (seated && offered?.games) ?? []; // names that are not known would be taken away
    people = seated?.names ?? [];
    unfinished = (list?.tables ?? []).filter((/** @type {ListedGame} */ { ended }) => ended === null).slice(1)
      .filter((/** @type {ListedGame} */ { moves }) => moves > 0).slice(0, MAX_UNFINISHED);
    const now = games.find(({ key, playable }) => playable && key === newest?.game.key) ?? games.find(({ playable }) => playable);
    chosen = null;
    if (now && newest) chooseGame(now, findPlainWay(newest), true);
    draw();
  }

  onButtonClick(body, async (data, button) => {
    if (!newest) return;
    if (chosen) chosen = { ...chosen, names: enteredNames(body, chosen.names) };
    const game = games.find(({ key }) => key === data.game);
    if (game) chooseGame(game, chosen?.way, chosen?.isWaySuggested);
    else if (data.way) chooseWay(data.way);
    else if (data.resume) return start(/** @type {object} */ ({ resume: Number(data.resume) }), button);
    else if (chosen && "showsCut" in data) return showCutCards(chosen.seats);
    else if (chosen && "start" in data) return start(gameRequest(chosen), button);
    else if (chosen) chosen = applyChoice(chosen, data);
    draw();
    if ("cut" in data) findElement(body, ".cut + p").scrollIntoView({ block: "end" });
    return undefined;
  });

  /** Let the camera read the cards that were cut from the players' own pack, in the order of the seats. @param {number} seats */
  const showCutCards = async (seats) => (await loadScan(actions))?.openScan({
    countDue: () => seats,
    submit: async (cards) => {
      if (!chosen || cards.length !== seats) return formatMessage("Show one card for each player, in the order of the seats.");
      chosen = withCut(chosen, { cards, pack: newCut(seats).pack.filter((card) => !cards.includes(card)) });
      draw();
      return null;
    },
  });

  body.addEventListener("input", ({ target }) => {
    const { value, placeholder, dataset } = /** @type {HTMLInputElement} */ (target);
    const dealer = body.querySelector(`[data-dealer="${dataset.name}"]`);
    if (dealer) setText(dealer, value.trim() || placeholder);
  });

  /**
   * Start or resume a game. Until it is drawn, nothing of the old game can be touched, which a second tap would move.
   * The phone that begins a game against the companion takes the other seat, whose cards it shows.
   * @param {{ against?: { seat: number } | null }} request
   * @param {HTMLButtonElement} button
   */
  async function start(request, button) {
    const label = button.textContent, page = /** @type {HTMLElement[]} */ ([...document.body.children, el]);
    button.textContent = formatMessage("Starting…");
    button.disabled = true;
    for (const part of page) part.inert = true;
    const wasAgainst = newest?.game.against;
    if (request.against) {
      await actions.storeForPhone("/api/seat", { seat: 1 - request.against.seat });
      saveSetting(SEATED_SETTING, "on");
      myHand.seat = 1 - request.against.seat; // known before the new game is drawn
    }
    const refusal = await actions.startGame(request);
    for (const part of page) part.inert = false;
    button.textContent = label;
    button.disabled = false;
    findElement(body, "[role=alert]").textContent = refusal;
    if (refusal !== null) return button.focus();
    close();
    if ("resume" in request || !chosen) return undefined;
    if (wasAgainst && !chosen.way?.request.against) myHand.leaveSeat(); // people hold their own cards
    if (chosen.way?.key === "simulated") return location.assign(withLanguage("/bench")); // its pegs are moved there
    const isForSeveral = chosen.seats > 1 && !chosen.way?.request.against;
    return isForSeveral ? (await import("./invitation.js").catch(() => null))?.offerInvitation() : undefined;
  }

  function draw() {
    const isOpen = chosen?.way ? wasWay === chosen.way.key && body.querySelector("details")?.open === true : true;
    wasWay = chosen?.way?.key ?? "";
    morphHtml(body, chosen && newest ? `<div class="game-ways" role="group" aria-label="${formatMessage("How do you want to play?")}">${wayButtons(listWays(newest).filter(({ key }) => !isWayFixed || key === chosen?.way?.key), chosen.way?.key)}</div>
      ${isWayChosen(chosen) && chosen.game.seats.length > 1 ? playersForm(chosen) : ""}${namesForm(chosen)}${levelsForm(chosen)}${showsDealer(chosen) ? dealersForm(chosen) : ""}<details class="game-rules" ${isOpen ? "open" : ""}><summary>${formatMessage("Rules")}</summary>${rulesForm(chosen, games)}</details>
      ${unfinishedGames(unfinished)}<p class="sheet-error" role="alert"></p>
      <div class="sheet-end"><button type="button" class="button main" data-start>${formatMessage("Start the game")}</button></div>`
      : `<p>${formatMessage("Couldn't load the games. Try again.")}</p>`);
  }

  return (snapshot) => {
    newest = snapshot;
  };
}

/**
 * Return the way of the last game if its pegs are not read: then the next game is played in that way too. Else null, which
 * leaves the pegs to the table.
 * @param {Api.Snapshot} snapshot
 */
const findPlainWay = (snapshot) => listWays(snapshot).find(({ isLast, request }) => isLast && request.pegs === "plain") ?? null;

/**
 * Return the selection for a game with its default options.
 * @param {OfferedGame} game
 * @param {Api.Snapshot} snapshot
 * @param {string[]} names
 * @returns {Selection}
 */
export function defaultSelection(game, { players, game: present }, names) {
  const isSame = game.key === present.key;
  const seats = game.seats.includes(players.length) ? players.length : game.seats[0];
  const options = Object.fromEntries(game.options.map((each) => [each.key,
    isSame && each.values.includes(String(present.options[each.key])) ? String(present.options[each.key]) : each.default]));
  return { game, seats, options, dealer: null, names };
}

/**
 * Return the selection after a tap.
 * @param {Selection} chosen
 * @param {DOMStringMap} data
 * @returns {Selection}
 */
export function applyChoice(chosen, { seats, option, value, dealer, board, level, cut, cuts }) {
  if (cut !== undefined) return { ...chosen, dealer: null, cut: newCut(chosen.seats) };
  if (cuts && chosen.cut) {
    const companion = chosen.way?.request.against?.seat;
    return withCut(chosen, cutCards(chosen.cut, companion === undefined ? [Number(cuts)] : [Number(cuts), companion]));
  }
  if (board) return { ...chosen, board };
  if (level && chosen.way?.request.against) {
    const against = { ...chosen.way.request.against, level };
    return { ...chosen, way: { ...chosen.way, request: { ...chosen.way.request, against } } };
  }
  if (seats) return { ...chosen, seats: Number(seats), dealer: null, cut: null };
  if (dealer !== undefined) return { ...chosen, dealer: dealer === "" ? null : Number(dealer), cut: null };
  if (option && value) return { ...chosen, options: { ...chosen.options, [option]: value } };
  return chosen;
}

/**
 * @param {Selection} chosen
 * @param {import("./cut-for-deal.js").Cut} cut
 * @returns {Selection}
 */
const withCut = (chosen, cut) => ({ ...chosen, cut, dealer: dealerOf(cut) });

/** Return the body of the request. A seat without a name gets its own, which takes away a former player's. @param {Selection} chosen */
export function gameRequest({ game, seats, options, dealer, names, board, way }) {
  const { pegs, against } = way?.request ?? {};
  return { game: game.key, seats, options, names: defaultNames(seats).map((name, seat) => (seat !== against?.seat && names[seat]?.trim()) || name),
    ...(dealer === null ? {} : { dealer }), ...(board ? { board } : {}), ...(pegs ? { pegs } : {}), ...(against === undefined ? {} : { against }) };
}

/** @param {number} seats */
const defaultNames = (seats) => Array.from({ length: seats }, (_, seat) =>
  seats === 4 && seat > 1 ? defaultPartnerName(seat - 2) : constants.seats[seat].name);

/**
 * Return the names in the input fields, by seat.
 * @param {HTMLElement} body
 * @param {string[]} names those of seats without a field
 */
const enteredNames = (body, names) =>
  Object.assign([...names], Object.fromEntries([...body.querySelectorAll("input")].map(({ value, dataset }) => [Number(dataset.name), value])));

/**
 * @param {OfferedGame} game
 * @param {Selection | null} chosen
 */
const gameButton = ({ key, title, say, playable, why }, chosen) => `<button type="button" class="button game" data-game="${escapeHtml(key)}"
  aria-pressed="${key === chosen?.game.key}" ${playable ? "" : "disabled"}><b>${escapeHtml(title)}</b> <span>${escapeHtml(playable ? say : why)}</span></button>`;

/** Return the players' default names. The companion's seat has its own. @param {Selection} chosen */
const usualNames = ({ seats, way }) => defaultNames(seats).map((name, seat) =>
  (seat === way?.request.against?.seat ? formatMessage("Companion") : name));

/** @param {Selection} chosen */
function namesForm({ names, seats, way }) {
  const fields = defaultNames(seats).map((each, seat) => (seat === way?.request.against?.seat ? "" : `<label class="name-row"><span class="dot seat-${seat}" aria-hidden="true"></span>
    <span class="unseen">${formatMessage("Seat {n}", { n: seat + 1 })}</span><input type="text" data-name="${seat}" value="${escapeHtml(names[seat] ?? "")}"
      placeholder="${escapeHtml(each)}" maxlength="${MAX_NAME_LENGTH}" autocomplete="off"></label>`));
  return `<fieldset class="term"><legend>${formatMessage("Names")}</legend><div class="name-fields">${fields.join("")}</div></fieldset>`;
}

/** Whether a way for people was tapped: then the number of players stands above their names, and not under Rules. @param {Selection} chosen */
const isWayChosen = ({ way }) => !!way && !way.request.against;

/** Whether people deal their own cards, so that they say first of all who deals. @param {Selection} chosen */
const dealsFirst = ({ game, way }) => way?.key === "plain" && game.key in HAND_SIZES;

/** Whether the first dealer stands above the rules. @param {Selection} chosen */
const showsDealer = (chosen) => dealsFirst(chosen) || !!chosen.way?.request.against;

/** @param {Selection} chosen */
const levelsForm = ({ way }) => (way?.request.against ? buttonGroup(formatMessage("Level"), "", LEVELS.map(([level, title]) =>
  choiceButton(`data-level="${level}"`, formatMessage(title), level === way.request.against?.level))) : "");

/** @param {Selection} chosen */
const playersForm = ({ game, seats, way }) => buttonGroup(formatMessage("Players"), "", game.seats.filter((each) => !way?.request.against || each === 2)
  .map((each) => choiceButton(`data-seats="${each}"`, String(each), each === seats)));

/** @param {Selection} chosen */
function dealersForm(chosen) {
  const { game, seats, dealer, names, cut, way } = chosen;
  if (seats < 2 || game.key === pegsOnly.key) return ""; // nobody tells who deals there
  const seated = usualNames(chosen).map((usual, seat) => names[seat]?.trim() || usual);
  const buttons = seated.map((name, seat) => choiceButton(`data-dealer="${seat}"`, name, (dealsFirst(chosen) && !cut ? dealer ?? 0 : dealer) === seat));
  const none = dealsFirst(chosen) ? [] : [choiceButton('data-dealer=""', formatMessage("automatic"), dealer === null && !cut)];
  const cuts = CUT_GAMES.includes(game.key) ? [choiceButton("data-cut", formatMessage("Cut for deal"), !!cut)] : [];
  return buttonGroup(formatMessage("First dealer"), "", [...cuts, ...none, ...buttons], cut ? cutForm(cut, seated, way?.request.against?.seat) : "");
}

/** Games whose first dealer is found by a cut. In the others dice or nobody decides. */
const CUT_GAMES = [...Object.keys(HAND_SIZES), "pursuit"];

/** Options that only concern games in which the players count. */
const COUNTING_OPTIONS = ["muggins", "overclaim"];

/**
 * Return the game, the players, the options and the board. What the way to play rules out is not offered.
 * @param {Selection} chosen
 * @param {OfferedGame[]} games
 */
function rulesForm(chosen, games) {
  const { game, options, board, way, isWaySuggested } = chosen;
  const against = way?.request.against;
  const offered = games.filter(({ key }) => !way || (isWaySuggested && !against) || way.offers(key));
  const rules = game.options.filter(({ key }) => !(against && key === "counting") && !(options.counting === "auto" && COUNTING_OPTIONS.includes(key)));
  const boards = game.boards.map((each, at) => choiceButton(`data-board="${escapeHtml(each)}"`, game.board_titles[each], board ? each === board : at === 0));
  return `<div class="games" role="group" aria-label="${formatMessage("The game")}">${offered.map((each) => gameButton(each, chosen)).join("")}</div>
    ${isWayChosen(chosen) ? "" : playersForm(chosen)}
    ${showsDealer(chosen) ? "" : dealersForm(chosen)}${rules.map((each) => optionGroup(each, options[each.key])).join("")}${boards.length > 1 ? buttonGroup(formatMessage("The board"), "", boards) : ""}`;
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
const buttonGroup = (name, say, buttons, more = "") => `<fieldset class="term"><legend>${escapeHtml(name)}</legend>${say ? `<p>${escapeHtml(say)}</p>` : ""}
  <div class="choices">${buttons.join("")}</div>${more}</fieldset>`;

/**
 * @param {string} data
 * @param {string} label
 * @param {boolean} isPressed
 */
const choiceButton = (data, label, isPressed) =>
  `<button type="button" class="button" ${data} aria-pressed="${isPressed}">${escapeHtml(label)}</button>`;

/** @param {ListedGame[]} tables */
const unfinishedGames = (tables) => (tables.length ? `<fieldset class="term"><legend>${formatMessage("Unfinished games")}</legend><ul class="game-list">${tables.map((each) =>
  `<li><span><b>${escapeHtml(each.game.title)}</b> ${escapeHtml(each.names.join(", "))}, ${escapeHtml(each.scores.join(" – "))}
    <small>${escapeHtml(formatTimeAgo(Date.parse(each.began), Date.now(), BEGAN_AGO))}</small></span>
    <button type="button" class="button" data-resume="${each.id}">${formatMessage("Resume")}</button></li>`).join("")}</ul></fieldset>` : "");
