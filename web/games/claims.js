// Where the players count: a pad to claim points on, or to call muggins. Every claim, short or full, looks the same
// until its window has closed; only then the true count is told.

import { fill, safe, say } from "../html.js";
import { count } from "../saying.js";
import { seatName, sideOf } from "../words.js";

const MOST = 29;
const MOST_IN_PLAY = 14;
const NEVER = [19, 25, 26, 27];

/** Shown with counting=manual. Who claims is chosen for the players, and can be chosen anew. */
export function Claims(el, { actions }) {
  el.innerHTML = `<p class="window" role="status"></p><div class="counted"></div>
    <div class="claiming players"><div class="choices who"></div><div class="numbers"></div></div>`;
  const [window_, told, pad] = el.children;
  const [who, numbers] = pad.children;
  let newest = null;
  let chosen = null;

  el.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const seat = Number(button?.dataset.seat);
    if (button?.dataset.who) draw((chosen = { move: button.dataset.who, seat }));
    else if (button) actions.move({ type: button.dataset.move, seat, points: Number(button.dataset.points) });
  });

  function draw({ move, seat }) {
    fill(who, speakers(newest).map((each) => speaker(newest, each, each.move === move && each.seat === seat)).join(""));
    fill(numbers, points(newest, move).map((n) => key(newest, move, seat, n)).join(""));
  }

  return (snapshot) => {
    const manual = snapshot.game.options.counting === "manual";
    el.hidden = !manual;
    if (!manual) return;
    if (newest?.run !== snapshot.run || newest?.moves !== snapshot.moves) chosen = likely(snapshot);
    newest = snapshot;
    const open = snapshot.window ?? null;
    say(window_, open === null ? "" : `${seatName(snapshot, open)} has claimed. Muggins may be called now.`);
    fill(told, open === null && snapshot.counted ? truth(snapshot, snapshot.counted) : "");
    pad.hidden = !chosen;
    if (chosen) draw(chosen);
  };
}

/** Who will most likely speak now: who must claim, whose side may call, or who played last. */
function likely(snapshot) {
  const { phase, turn, window: open, last } = snapshot;
  if (phase === "claim") return { move: "claim", seat: turn };
  if (phase === "play" && last?.move.type === "play") return { move: "claim", seat: last.move.seat };
  return speakers(snapshot).find(({ seat, move }) => move === "muggins" || (open ?? null) === null && seat !== turn) ?? null;
}

/** Everybody who may claim or call now, as far as anybody but the players knows. */
function speakers({ phase, turn, window: open, game, players, played, last, ...snapshot }) {
  const seats = players.map(({ seat }) => seat).filter((seat) => (snapshot.alive ?? [seat]).includes(seat));
  const claims = phase === "claim" ? [turn] : phase === "play" ? seats.filter((seat) => seat !== open && played[seat].length) : [];
  const against = open ?? (last?.move.type === "play" ? last.move.seat : null);
  const other = (seat) => against === null || sideOf({ players }, seat) !== sideOf({ players }, against);
  const called = game.options.muggins === "on" && ((open ?? null) !== null || ["play", "go"].includes(last?.move.type));
  const calls = called ? seats.filter(other) : [];
  return [...claims.map((seat) => ({ move: "claim", seat })), ...calls.map((seat) => ({ move: "muggins", seat }))];
}

const speaker = (snapshot, { move, seat }, pressed) =>
  `<button type="button" class="button" data-who="${move}" data-seat="${seat}" aria-pressed="${pressed}">
    ${safe(seatName(snapshot, seat))}${move === "claim" ? " claims" : ": muggins"}</button>`;

function points({ phase }, move) {
  const most = move === "claim" && phase === "play" ? MOST_IN_PLAY : MOST;
  return Array.from({ length: most + 1 }, (_, n) => n).filter((n) => (n || move === "claim") && !NEVER.includes(n));
}

const key = (snapshot, move, seat, n) =>
  `<button type="button" class="key" data-move="${move}" data-seat="${seat}" data-points="${n}"
    aria-label="${safe(seatName(snapshot, seat))} ${move === "claim" ? "claims" : "calls muggins for"} ${n}">${n}</button>`;

/** "Blue claimed 6: the count is fifteen two, …; 2 were missed." */
function truth(snapshot, { seat, claimed, awards, missed }) {
  const over = claimed - awards.reduce((sum, award) => sum + award.points, 0);
  const verdict = missed ? `, ${missed} missed` : over > 0 ? `, ${over} too many` : "";
  return `<p class="said-line"><span class="dot seat-${sideOf(snapshot, seat)}" aria-hidden="true"></span>
    <span><b>${safe(seatName(snapshot, seat))}</b> claimed ${claimed}${verdict}: ${safe(count(awards))}.</span></p>`;
}
