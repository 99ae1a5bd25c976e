// What was said to everybody lately, such as a card that was refused.

import { fill, safe } from "../html.js";

const SHOWN = 3;

/** The newest few, the newest first. */
export function Notices(el) {
  return ({ notices }) => {
    const newest = (notices ?? []).slice(-SHOWN).reverse();
    fill(el, newest.length ? `<ul>${newest.map(notice).join("")}</ul>` : "");
  };
}

const notice = ({ id, kind, say }) => `<li data-notice="${safe(id)}" data-kind="${safe(kind)}">${safe(say)}</li>`;
