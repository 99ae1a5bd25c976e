// A part whose module comes when it is first wanted: with the first press of the button that opens it.

import { mounted } from "./guard.js";
import { find } from "./html.js";
import { say } from "./say.js";

/** @import { Draw, Part } from "./guard.js" */

/**
 * Such a part. Its button works as ever; where the table cannot be reached, that is said, and the next press tries again.
 * @param {string} opener
 * @param {() => Promise<Part>} load
 * @returns {Part}
 */
export const Late = (opener, load) => (el, context) => {
  const button = find(document, opener);
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {Draw | null} */
  let draw = null;
  let comes = false;

  async function come() {
    if (comes) return;
    comes = true;
    const Loaded = await load().catch(() => null);
    comes = false;
    if (!Loaded) return void context.actions.refused(say("The table could not be reached."));
    button.removeEventListener("click", come);
    draw = mounted(Loaded, el, context);
    if (newest) draw(newest);
    button.click(); // the part listens now
  }

  button.addEventListener("click", come);
  return (snapshot) => {
    newest = snapshot;
    draw?.(snapshot);
  };
};
