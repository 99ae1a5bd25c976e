// The room's page of a club: tables, results as they come, standings. It asks twice a second, and draws the whole.

const ASK_MS = 500;
const MOST_RESULTS = 12;

/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (document.querySelector(`[data-part="${name}"]`));

/**
 * @param {string} tag
 * @param {string} [text]
 * @param {...Node} within
 */
const made = (tag, text = "", ...within) => {
  const el = document.createElement(tag);
  el.append(text, ...within);
  return el;
};

/** @param {any} table */
export const nameOf = (table) => [table.board, table.game?.title].filter(Boolean).join(" · ");

/** @param {any} result */
export const saidOf = (result) => {
  const winner = result.players[result.winner] ?? `side ${result.winner + 1}`;
  const others = result.players.filter((/** @type {string} */ name) => name !== winner).join(", ");
  const skunk = result.skunk ? `, ${result.skunk}` : "";
  return `${winner} beat ${others || "the cards"}, ${[...result.scores].sort((a, b) => b - a).join("–")}${skunk}`;
};

/** @param {any} table */
const board = (table) => {
  const el = made("li", nameOf(table));
  el.classList.toggle("away", !table.online);
  el.dataset.board = table.board;
  (table.scores ?? []).forEach((/** @type {number} */ score, /** @type {number} */ side) => {
    const names = table.players.filter((/** @type {any} */ each) => each.side === side);
    const label = names.map((/** @type {any} */ each) => each.name).join(" & ") || `Side ${side + 1}`;
    el.append(made("b", "", made("span", label + (table.winner === side ? " ★" : "")), made("span", String(score))));
  });
  if (!table.online) el.append(made("small", "away"));
  return el;
};

const COLUMNS = ["rank", "player", "points", "won", "lost", "skunks", "spread"];

/** @param {any[]} rows */
const ranking = (rows) => {
  const head = made("tr", "", ...COLUMNS.map((name) => made("th", name)));
  const body = rows.map((row) => made("tr", "", ...COLUMNS.map((name) => made("td", String(row[name])))));
  return made("table", "", made("thead", "", head), made("tbody", "", ...body));
};

/** @param {string} path */
const get = async (path) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(path);
  return answer.json();
};

/** @param {any} told */
const drawRound = (told) => {
  const last = Math.max(0, ...told.games.map((/** @type {any} */ game) => game.round));
  const games = told.games.filter((/** @type {any} */ game) => game.round === last);
  part("round").hidden = !games.length;
  part("round").replaceChildren(made("h2", `Round ${last}`), made("ol", "", ...games.map((/** @type {any} */ game) =>
    made("li", game.two ? `${game.one} – ${game.two}${game.winner ? `: ${game.winner}` : ""}` : `${game.one}: bye`))));
};

const draw = async () => {
  const [{ tables }, { results }, health, { events }] = await Promise.all(
    ["tables", "results", "health", "events"].map((name) => get(`/api/club/${name}`)));
  const event = new URLSearchParams(location.search).get("event") ?? events[0]?.id;
  const told = await get(`/api/club/standings${event === undefined ? "" : `?event=${event}`}`);
  part("tables").replaceChildren(...tables.map(board));
  part("results").replaceChildren(...results.slice(0, MOST_RESULTS).map((/** @type {any} */ each) => made("li", `${each.board}: ${saidOf(each)}`)));
  part("standings").replaceChildren(ranking(told.standings));
  drawRound(told);
  const amiss = health.refused.length ? `, ${health.refused.length} refused` : "";
  part("health").textContent = `${health.boards} boards, ${health.behind} moves on their way${amiss}`;
  document.body.dataset.link = "polling";
};

const ask = async () => {
  try {
    if (!document.hidden) await draw();
  } catch {
    document.body.dataset.link = "lost";
    part("health").textContent = "The archive does not answer; this page asks again.";
  }
  setTimeout(ask, ASK_MS);
};

if (typeof document !== "undefined") ask();
