// The screen this page is on, and whose it is. Asks the browser only when it is asked, so that everything else can be
// tested without one.

/** Whether the page has room for two columns; as in phone.css. A query, which tells when that changes. */
export const wide = () => matchMedia("(min-width: 46rem), (min-width: 36rem) and (max-height: 30rem)");

/** Whether the screen is much wider than high, so that a long board lies better than it stands. */
export const lying = () => matchMedia("(min-aspect-ratio: 5/4)");

/** Whether who looks wants nothing to move. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * The seat that `?seat=N` turns the view to, or null. It changes no right.
 * @param {string} search
 */
export function seatIn(search) {
  const asked = new URLSearchParams(search).get("seat");
  return asked !== null && /^[0-4]$/.test(asked) ? Number(asked) : null;
}

/**
 * What this phone was told to remember of itself; null where it was told nothing, or may not remember.
 * @param {string} what
 */
export function remembered(what) {
  try {
    return localStorage.getItem(what);
  } catch {
    return null;
  }
}

/**
 * Remember it, where the browser lets us.
 * @param {string} what
 * @param {string} value
 */
export function remember(what, value) {
  try {
    localStorage.setItem(what, value);
  } catch {
    // A private window forgets: the page works the same until it is closed.
  }
}

/** The seat this page is turned to, or null. */
export const SEAT = seatIn(globalThis.location?.search ?? "");
