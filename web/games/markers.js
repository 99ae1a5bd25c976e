// The markers and chips of Sackson swap. Pure.

import { safe } from "../html.js";

/**
 * A colour, told by its letter too; none is an empty place.
 * @param {string | null | undefined} colour
 * @param {string} also
 */
export const marker = (colour, also = "") =>
  `<span class="marker ${safe(colour ?? "none")} ${also}">${colour ? safe(letter(colour)) : ""}</span>`;

/** @param {string} colour */
const letter = (colour) => (colour === "brown" ? "n" : colour[0]).toUpperCase();
