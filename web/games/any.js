// What holds for any game: who won, and on to the next.

import { seatName, sideName } from "../words.js";

/** "Red wins by a skunk, worth 2 games." */
export function ending(snapshot) {
  if (snapshot.winner === null || snapshot.winner === undefined) return "The game is over.";
  const by = snapshot.skunk ? ` by a ${snapshot.skunk}` : "";
  const worth = snapshot.game_points > 1 ? `, worth ${snapshot.game_points} games` : "";
  const skunked = (snapshot.skunks ?? []).flatMap((skunk, side) => (skunk ? [` ${sideName(snapshot, side)}: ${skunk}.`] : []));
  return `${sideName(snapshot, snapshot.winner)} wins${by}${worth}.${skunked.join("")}`;
}

export const any = {
  key: "",
  turn(snapshot) {
    if (snapshot.phase === "over") return ending(snapshot);
    return snapshot.turn === null || snapshot.turn === undefined ? "Go on." : `${seatName(snapshot, snapshot.turn)}'s turn.`;
  },
  Panel: () => () => {},
  seen: () => new Set(),
  goes: () => null,
  next: ({ phase }) => ({ between: "Next hand", over: "New game" })[phase] ?? null,
  voids: () => false,
  abandons: () => "scores",
  opening: () => 0,
  deals: "deals",
  marks: () => "",
  pegs: ({ scores }) => scores.map((_, side) => [side, 2]),
  way: ({ scores, game }, side) => ({ value: scores[side], max: game.target ?? 121 }),
};
