// Properties of this screen and browser, settings stored on this phone, and the seat that the page is turned to. The browser is asked
// only when a function is called, so that other modules can be tested without one.

/** Return the media query of the two-column layout, the same as in phone.css. */
export const twoColumnQuery = () => matchMedia("(min-width: 46rem), (min-width: 36rem) and (max-height: 30rem)");

/** Return the media query of a screen that is much wider than high, on which a long board is laid horizontally. */
export const wideScreenQuery = () => matchMedia("(min-aspect-ratio: 5/4)");

/** Whether the user prefers reduced motion. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Return the seat of `?seat=N`, which turns the view, or null. It grants no rights. @param {string} search */
export function parseSeat(search) {
  const value = new URLSearchParams(search).get("seat");
  return value !== null && /^[0-4]$/.test(value) ? Number(value) : null;
}

/** Return a setting stored on this phone; null if there is none or storage is not allowed. @param {string} key */
export function loadSetting(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Store a setting on this phone, if the browser allows it.
 * @param {string} key
 * @param {string} value
 */
export function saveSetting(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private windows may refuse storage. The page then works until it is closed.
  }
}

/** The seat that this page is turned to, or null. */
export const SEAT = parseSeat(globalThis.location?.search ?? "");

/** The setting of a phone that enters cards as they are laid: "yes", or "" after *Stop*. */
export const WATCHING_SETTING = "watching";

/** The setting of a phone that has taken a seat. Other phones never request a seat or a hand. */
export const SEATED_SETTING = "sat";

/** Whether the browser offers these features: they need a secure context, otherwise the page says so. */
export const isSecure = () => globalThis.isSecureContext === true;

/** Register the service worker, which keeps this page for times without a connection. */
export function registerServiceWorker() {
  if (isSecure()) navigator.serviceWorker?.register("/sw.js").catch(() => {});
}
