// The screen this page is on, and whose it is. Asks the browser only when it is asked, so that everything else can be
// tested without one.

/** Whether the page has room for two columns; as in phone.css. A query, which tells when that changes. */
export const wide = () => matchMedia("(min-width: 60rem)");

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

/** The seat this page is turned to, or null. */
export const SEAT = seatIn(globalThis.location?.search ?? "");
