// The organiser's forms: a new event, results and corrections, and players who arrive late or go home. Each is a dialog that
// is not redrawn with the page; it shows refusals itself and keeps what was typed.

import { createDialog } from "../../components/dialog.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { saveSetting } from "../../core/preferences.js";
import { closeUnlessRefused, ENTERED_BY_SETTING, enteredByField, fieldText, findDialog, onSubmit, postChange } from "./forms.js";
import { enteredResults } from "./views.js";

const SKUNK_SPREAD = 31;

/**
 * Create the forms.
 * @param {(event: string) => void} choose shows another event
 * @param {() => void} look redraws the page
 * @param {(sentence: string) => void} refuse shows a message
 */
export function createOrganiser(choose, look, refuse) {
  /** @type {any} */
  let room = null;
  const newEvent = createEventForm(choose);
  const result = createResultForm(look);
  const players = createPlayersForm(look);
  const boards = createBoardsForm(look);

  /** Pair a round, or take it back. @param {object} body */
  const round = async (body) => {
    const { refusal } = await postChange(`/api/club/events/${room.event.id}/rounds`, body);
    refuse(refusal ?? "");
    look();
  };

  return {
    /** @param {any} newRoom */
    update: (newRoom) => {
      room = newRoom;
      players.draw(newRoom);
      boards.draw(newRoom);
    },
    /** @param {DOMStringMap} data */
    handleButton: ({ open, game, pair, unpair }) => {
      if (open === "event") newEvent(room);
      if (open === "players") players.open();
      if (open === "boards") boards.open();
      if (pair !== undefined) round({});
      if (unpair !== undefined) round({ take_back: true });
      if (game) result(room.event.id, room.games.find((/** @type {any} */ each) => `${each.round}/${each.number}` === game));
    },
  };
}

/** @param {(event: string) => void} choose */
function createEventForm(choose) {
  const sheet = createDialog(findDialog("event"), formatMessage("New event"));
  return (/** @type {any} */ room) => {
    const before = (room?.standings ?? []).map((/** @type {any} */ each) => each.player).filter((/** @type {string} */ name) => !(room.gone ?? []).includes(name));
    sheet.body.innerHTML = `<form class="form" method="dialog">
      <label>${formatMessage("Name")}<input name="name" required maxlength="24" autocomplete="off"></label>
      <label>${formatMessage("Pairing")}<select name="kind"><option value="swiss">${formatMessage("Swiss: players with similar results meet")}</option>
        <option value="round-robin">${formatMessage("Round robin: everyone plays everyone once")}</option>
        <option value="tournament">${formatMessage("Tournament: scorecards, cross-check and a bracket")}</option></select></label>
      <label data-for="rounds">${formatMessage("Rounds (0 = no limit)")}<input name="rounds" type="number" inputmode="numeric" min="0" max="200" value="0" required></label>
      <div class="form" data-for="tournament" hidden>
        <label>${formatMessage("Games of each player")}<input name="games" type="number" inputmode="numeric" min="1" max="60" value="9" required></label>
        <label>${formatMessage("Tables in the room")}<input name="tables" type="number" inputmode="numeric" min="1" max="200" value="100" required></label>
        <label>${formatMessage("Matches of the bracket")}<select name="best_of"><option value="3">${formatMessage("Best of {n}", { n: 3 })}</option>
          <option value="5">${formatMessage("Best of {n}", { n: 5 })}</option><option value="1">${formatMessage("One game")}</option></select></label>
        <label class="check"><input name="duplicate" type="checkbox"> ${formatMessage("Duplicate: phones deal the same cards at all tables")}</label></div>
      <label>${formatMessage("Players, one per line")}<textarea name="players" rows="8" autocapitalize="words" autocomplete="off" spellcheck="false">${escapeHtml(before.join("\n"))}</textarea></label>
      <p class="sheet-error" role="alert"></p>
      <button class="button main">${formatMessage("Create event")}</button></form>`;
    const kind = /** @type {HTMLSelectElement} */ (findElement(sheet.body, "[name=kind]"));
    kind.addEventListener("change", () => {
      findElement(sheet.body, "[data-for=tournament]").hidden = kind.value !== "tournament";
      findElement(sheet.body, "[data-for=rounds]").hidden = kind.value === "tournament";
    });
    onSubmit(sheet.body, async (form) => {
      const names = fieldText(form, "players").split("\n").map((each) => each.trim()).filter(Boolean);
      if (kind.value === "tournament") {
        const settings = { games: Number(fieldText(form, "games")), tables: Number(fieldText(form, "tables")), best_of: [Number(fieldText(form, "best_of"))], duplicate: fieldText(form, "duplicate") === "on" };
        const { data, refusal } = await postChange("/api/club/tournaments", { name: fieldText(form, "name"), players: names, ...settings });
        if (data) location.assign(`/tournament?event=${data.event.id}`);
        return refusal ?? "";
      }
      const body = { name: fieldText(form, "name"), kind: fieldText(form, "kind"), rounds: Number(fieldText(form, "rounds")), players: names };
      const { data, refusal } = await postChange("/api/club/events", body);
      if (data) choose(String(data.event.id));
      return closeUnlessRefused(sheet, refusal);
    });
    sheet.open();
  };
}

/** @param {() => void} look */
function createResultForm(look) {
  const sheet = createDialog(findDialog("result"), "");
  return (/** @type {number} */ event, /** @type {any} */ game) => {
    sheet.setTitle(formatMessage("Round {n}: {one} – {two}", { n: game.round, one: game.one, two: game.two }));
    sheet.body.innerHTML = renderResultForm(game);
    const fields = /** @type {HTMLFormElement} */ (findElement(sheet.body, "form"));
    const [spread, skunk] = ["spread", "skunk"].map((name) => /** @type {HTMLInputElement} */ (fields.elements.namedItem(name)));
    spread.addEventListener("input", () => (skunk.checked = Number(spread.value) >= SKUNK_SPREAD));
    onSubmit(sheet.body, async (_, button) => {
      const isBack = button?.value === "back";
      saveSetting(ENTERED_BY_SETTING, fieldText(fields, "by"));
      const winner = isBack ? null : fieldText(fields, "winner");
      const body = { round: game.round, number: game.number, winner, by: fieldText(fields, "by"),
        skunk: skunk.checked && !isBack, spread: isBack ? 0 : Number(spread.value) };
      const { refusal } = await postChange(`/api/club/events/${event}/results`, body);
      look();
      return closeUnlessRefused(sheet, refusal);
    });
    sheet.open();
  };
}

/** Return the HTML of the form of a result. @param {any} game */
function renderResultForm(game) {
  const winnerChoice = (/** @type {string} */ name) => `<label class="button choice"><input type="radio" name="winner" value="${escapeHtml(name)}" required ${
    game.winner === name ? "checked" : ""}> <span>${escapeHtml(name)}</span></label>`;
  const entries = enteredResults(game);
  return `<form class="form" method="dialog">
    <fieldset><legend>${formatMessage("Who won?")}</legend><div class="pair">${winnerChoice(game.one)}${winnerChoice(game.two)}</div></fieldset>
    <label>${formatMessage("By how many points")}<input name="spread" type="number" inputmode="numeric" min="0" max="121" value="${game.winner ? game.spread : ""}" required></label>
    <label class="check"><input name="skunk" type="checkbox" ${game.is_skunk ? "checked" : ""}> ${formatMessage("Skunk: the loser had 90 points or fewer")}</label>
    ${enteredByField()}
    <p class="sheet-error" role="alert"></p>
    <button class="button main">${game.winner ? formatMessage("Save correction") : formatMessage("Save")}</button>
    ${game.winner ? `<button class="button" value="back">${formatMessage("Remove the result")}</button>` : ""}</form>
    ${entries ? `<h3>${formatMessage("Entered results")}</h3><ul class="entries">${entries}</ul>` : ""}`;
}

/** @param {() => void} look */
function createPlayersForm(look) {
  const sheet = createDialog(findDialog("players"), formatMessage("Players"));
  sheet.body.innerHTML = `<form class="form" method="dialog"><label>${formatMessage("Late players join from the next round on")}
    <input name="name" required maxlength="24" autocomplete="off"></label><p class="sheet-error" role="alert"></p>
    <button class="button main">${formatMessage("Add")}</button></form><ul class="entered"></ul>`;
  const list = findElement(sheet.body, ".entered");
  let event = 0;

  /** Post a change of the players. Return the message of a refusal, or "". @param {object} body */
  const change = async (body) => {
    const { data, refusal } = await postChange(`/api/club/events/${event}/players`, body);
    if (data) draw(data);
    look();
    return refusal ?? "";
  };

  /** @param {any} room */
  function draw({ event: shown, standings, gone = [] }) {
    if (!shown) return;
    event = shown.id;
    morphHtml(list, standings.map((/** @type {{ player: string }} */ { player }) => `<li><span>${escapeHtml(player)}</span>${gone.includes(player)
      ? `<button type="button" class="button" data-back="${escapeHtml(player)}" aria-label="${escapeHtml(formatMessage("{name} is back", { name: player }))}">${formatMessage("Is back")}</button>`
      : `<button type="button" class="button" data-leaves="${escapeHtml(player)}" aria-label="${escapeHtml(formatMessage("{name} leaves", { name: player }))}">${formatMessage("Leaves")}</button>`}</li>`).join(""));
  }

  onButtonClick(list, async ({ back, leaves }) => {
    findElement(sheet.body, "[role=alert]").textContent = await change(leaves ? { name: leaves, leaves: true } : { name: back });
  });
  onSubmit(sheet.body, async (form) => {
    const refusal = await change({ name: fieldText(form, "name") });
    if (!refusal) form.reset();
    return refusal;
  });
  return { draw, open: sheet.open };
}

/** The form of the boards, whose games are entered for the event. @param {() => void} look */
function createBoardsForm(look) {
  const sheet = createDialog(findDialog("boards"), formatMessage("Boards"));
  sheet.body.innerHTML = `<p>${formatMessage("Games at these boards enter their results. Results from all other boards do not count.")}</p>
    <p class="sheet-error" role="alert"></p><ul class="entered"></ul>`;
  const list = findElement(sheet.body, ".entered");
  let event = 0;

  /** Draw the list of boards, those of the event first. @param {any} room */
  function draw({ event: shown, boards = [], tables }) {
    if (!shown) return;
    event = shown.id;
    /** @type {any[]} */
    const others = tables.filter((/** @type {any} */ table) => !boards.some((/** @type {any} */ each) => each.club === table.club && each.board === table.board));
    const line = (/** @type {any} */ { club, board }, /** @type {boolean} */ isIn) => {
      const label = isIn ? formatMessage("Remove") : formatMessage("Add");
      return `<li><span>${escapeHtml(`${club} · ${board}`)}</span><button type="button" class="button" data-club="${escapeHtml(club)}" data-${
        isIn ? "out" : "in"}="${escapeHtml(board)}" aria-label="${escapeHtml(`${label}: ${board}`)}">${label}</button></li>`;
    };
    morphHtml(list, [...boards.map((/** @type {any} */ each) => line(each, true)), ...others.map((each) => line(each, false))].join(""));
  }

  onButtonClick(list, async ({ club, in: added, out }) => {
    const { refusal } = await postChange(`/api/club/events/${event}/boards`, out ? { board: out, leaves: true } : { club, board: added });
    findElement(sheet.body, "[role=alert]").textContent = refusal ?? "";
    look();
  });
  return { draw, open: sheet.open };
}
