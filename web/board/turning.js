// How the board's picture is turned: for the seat one looks from, and laid down where the page is wide.

import { SEAT } from "../seat.js";

/** Whether the page has its two columns; as in phone.css. */
export const WIDE = matchMedia("(min-width: 60rem)");

/** Degrees, by quarters: those who sit across see it upside down. */
export function turning(holes, { game }) {
  const span = (axis) => Math.max(...holes.map((hole) => hole[axis])) - Math.min(...holes.map((hole) => hole[axis]));
  const across = SEAT !== null && SEAT >= game.seats / 2 ? 180 : 0;
  return across + (WIDE.matches && span("y_mm") > span("x_mm") ? 90 : 0);
}
