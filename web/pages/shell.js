// The frame shared by the phone page, the bench and the TV page: it mounts the components and follows the table.
// Snapshots go down to the components; what a player does goes up through `actions`.

import { LastCount } from "../components/cards/last-count.js";
import { History, ReviewLink } from "../components/history/history.js";
import { applyPreferences, Preferences, SoundSwitch } from "../components/setup/preferences.js";
import { ActionBar } from "../components/status/action-bar.js";
import { Announcements } from "../components/status/announcements.js";
import { DeviceStatus } from "../components/status/device-status.js";
import { GamePanel } from "../components/status/game-panel.js";
import { ConnectionStatus, ErrorMessage, GameOptions, GameTitle, JoinHint } from "../components/status/header.js";
import { Notices } from "../components/status/notices.js";
import { Count, Scores, TurnSentence } from "../components/status/scores.js";
import { createActions, fetchApi } from "../core/api.js";
import { lazyComponent, loadedWhen, mountComponent } from "../core/component.js";
import { followTable } from "../core/connection.js";
import { setConstants } from "../core/constants.js";
import { findElement } from "../core/dom.js";
import { loadCatalogue } from "../core/i18n.js";
import { loadGame } from "../games/index.js";

/** @import { Component } from "../core/component.js" */

/** @type {Record<string, Component>} */
const SHARED_COMPONENTS = {
  title: GameTitle, scores: Scores, turn: TurnSentence, count: Count, said: LastCount, panel: GamePanel,
  notices: Notices, bar: ActionBar, history: History, devices: DeviceStatus, tastes: Preferences,
  heard: Announcements, terms: GameOptions, sound: SoundSwitch, review: ReviewLink,
  question: loadedWhen(({ question, ruling }) => Boolean(question ?? ruling), async () => (await import("../components/status/pegging-advice.js")).Question),
  pegging: loadedWhen(({ advice, dues }) => advice.length + dues.length > 0, async () => (await import("../components/status/pegging-advice.js")).PeggingAdvice),
  correct: lazyComponent("button[data-correct]", async () => (await import("../components/cards/correct-card.js")).CorrectCard),
  help: lazyComponent("[data-open=help]", async () => (await import("../components/help.js")).Help),
  "new-game": lazyComponent("[data-open=new-game]", async () => (await import("../components/setup/new-game.js")).NewGame),
};

const RETRY_MS = 1000;

/** @param {string} name */
export const findPart = (name) => findElement(document, `[data-part=${name}]`);

/**
 * Mount the shared components and those of the page wherever the page has an element for them, then follow the table.
 * @param {Record<string, Component>} pageComponents
 */
export async function openPage(pageComponents) {
  applyPreferences();
  const hasPart = (/** @type {string} */ name) => document.querySelector(`[data-part=${name}]`) !== null;
  const showError = hasPart("error") ? ErrorMessage(findPart("error")) : () => {};
  const showJoinHint = hasPart("joining") ? JoinHint(findPart("joining")) : () => {};
  /** @type {Api.Snapshot | null} */
  let drawn = null;
  /** @type {Promise<void>} */
  let drawing = Promise.resolve();
  let roleRequests = 0, roleTimer = 0;

  const actions = createActions(drawSnapshot, (sentence, status) => {
    showError(sentence);
    if (status === 403) fetchRole();
  }, () => drawn);
  const context = { actions, isPlayer: () => document.body.dataset.role === "player", redraw };

  const showLink = ConnectionStatus(findPart("link"));
  await loadCatalogue();
  setConstants(await fetchConstants(() => showLink("lost")));
  applyPreferences(); // now the add-ons are known as well
  const parts = Object.entries({ ...SHARED_COMPONENTS, ...pageComponents }).filter(([name]) => hasPart(name));
  const draws = parts.map(([name, Part]) => mountComponent(Part, findPart(name), context));
  let previousLink = "";
  followTable(drawSnapshot, (link) => {
    showLink(link);
    if (previousLink && link !== "lost") fetchRole(); // the table ends the stream of a phone that is no longer a player
    previousLink = link;
  });

  /** Draw a snapshot if it is newer or of another run. Resolve when the newest is drawn. @param {Api.Snapshot} snapshot */
  function drawSnapshot(snapshot) {
    const isOtherRun = drawn?.run !== snapshot.run;
    if (!isOtherRun && drawn && snapshot.number <= drawn.number) return drawing;
    if (drawn && drawn.moves !== snapshot.moves) showError(""); // a move was made since the refusal
    drawn = snapshot;
    if (isOtherRun) fetchRole();
    return (drawing = drawParts(snapshot));
  }

  /**
   * Draw a snapshot with all components; then set `data-snapshot` of the body.
   * @param {Api.Snapshot} snapshot
   * @returns {Promise<void>}
   */
  async function drawParts(snapshot) {
    const loading = loadGame(snapshot);
    if (loading) await loading;
    if (drawn === snapshot) {
      document.body.dataset.phase = snapshot.phase; // first: what has no place in this phase does not move away
      await Promise.all(draws.map((draw) => draw(snapshot)));
    }
    if (drawn !== snapshot) return drawing;
    Object.assign(document.body.dataset, { run: snapshot.run, snapshot: String(snapshot.number) });
  }

  function redraw() {
    if (drawn) for (const draw of draws) draw(drawn);
  }

  /** Fetch the role of this phone. Without an answer, try again every second; an answer to an earlier request is ignored. */
  async function fetchRole() {
    clearTimeout(roleTimer);
    const request = ++roleRequests;
    const me = await fetchApi("/api/me").catch(() => null);
    if (request !== roleRequests) return;
    if (!me) return void (roleTimer = setTimeout(fetchRole, RETRY_MS));
    const hasChanged = document.body.dataset.role !== me.role;
    document.body.dataset.role = me.role;
    showJoinHint(me);
    if (hasChanged) redraw();
  }
}

/**
 * Fetch the constants. Without an answer, call `onFailure` and try again every second.
 * @param {() => void} onFailure
 * @returns {Promise<Api.Constants>}
 */
async function fetchConstants(onFailure) {
  try {
    return await fetchApi("/api/constants");
  } catch {
    onFailure();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return fetchConstants(onFailure);
  }
}
