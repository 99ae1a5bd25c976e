// The markers and chips of Sackson swap. Pure.

import { safe } from "../html.js";

export const COLOURS = ["red", "yellow", "green", "blue", "brown"];

/** A colour, told by its letter too. */
export const marker = (colour, also = "") =>
  `<span class="marker ${safe(colour ?? "none")} ${also}">${colour ? safe(letter(colour)) : ""}</span>`;

const letter = (colour) => (colour === "brown" ? "n" : colour[0]).toUpperCase();
