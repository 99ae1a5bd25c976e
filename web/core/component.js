// The type of a component, error isolation between components, and lazy loading.

import { formatMessage } from "./i18n.js";

/** @import { Actions } from "./api.js" */
/**
 * Draws a snapshot. The components of a game receive only snapshots of that game, with its own fields.
 * @typedef {{ draw(snapshot: Api.Snapshot): unknown }["draw"]} DrawSnapshot
 */
/**
 * Shared by all components: the player's actions, and whether this page has player rights.
 * @typedef {{ actions: Actions, isPlayer: () => boolean, redraw: () => void }} Context
 */
/**
 * Writes its HTML into its element once and returns its draw function.
 * @typedef {(el: HTMLElement, context: Context) => DrawSnapshot} Component
 */

/**
 * Wrap a function so that an error, thrown or as a rejected promise, goes to the console and not to the caller.
 * The same error is logged once.
 * @template {unknown[]} Args
 * @template Result
 * @param {(...args: Args) => Result} run
 * @returns {(...given: Args) => Result | undefined}
 */
export function logErrors(run) {
  let lastError = "";
  /** @param {unknown} error */
  const log = (error) => {
    if (String(error) !== lastError) console.error(error);
    lastError = String(error);
    return undefined;
  };
  return (...given) => {
    try {
      const result = run(...given);
      return result instanceof Promise ? /** @type {Result} */ (result.catch(log)) : result;
    } catch (error) {
      return log(error);
    }
  };
}

/**
 * Mount a component in its element. An error in its draw function leaves the last drawing in place; a component that
 * fails while it is mounted draws nothing.
 * @param {Component} Part
 * @param {HTMLElement} el
 * @param {Context} context
 * @returns {DrawSnapshot}
 */
export const mountComponent = (Part, el, context) => logErrors(logErrors(Part)(el, context) ?? (() => {}));

/**
 * Combine several components into one, each in an element of its own.
 * @param {...Component} Parts
 * @returns {Component}
 */
export const combineComponents = (...Parts) => (el, context) => {
  const draws = Parts.map((Part) => mountComponent(Part, el.appendChild(document.createElement("div")), context));
  return (snapshot) => Promise.all(draws.map((draw) => draw(snapshot)));
};

/**
 * Return a component whose module is loaded when it is mounted, such as the panel of a game that few tables play. A
 * failed load is tried again with the next snapshot.
 * @param {() => Promise<Component>} load
 * @returns {Component}
 */
export const deferredComponent = (load) => (el, context) => {
  /** @type {DrawSnapshot | null} */
  let draw = null;
  return async (snapshot) => {
    const Part = draw ? null : await load();
    if (Part) draw ??= mountComponent(Part, el, context);
    return draw?.(snapshot);
  };
};

/**
 * Return a component whose module is loaded with the first snapshot that needs it.
 * @param {(snapshot: Api.Snapshot, isPlayer: boolean) => boolean} isNeeded
 * @param {() => Promise<Component>} load
 * @returns {Component}
 */
export const loadedWhen = (isNeeded, load) => (el, context) => {
  const draw = deferredComponent(load)(el, context);
  let isLoaded = false;
  return (snapshot) => {
    isLoaded ||= isNeeded(snapshot, context.isPlayer());
    return isLoaded ? draw(snapshot) : undefined;
  };
};

/**
 * Return a component whose module is loaded at the first press of a button that opens it. If the load fails, an error
 * message is shown and the next press tries again.
 * @param {string} opener selects these buttons; they may be drawn later
 * @param {() => Promise<Component>} load
 * @returns {Component}
 */
export const lazyComponent = (opener, load) => (el, context) => {
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {DrawSnapshot | null} */
  let draw = null;
  let isLoading = false;

  /** @param {MouseEvent} event */
  async function loadComponent({ target }) {
    const button = target instanceof Element ? target.closest(opener) : null;
    if (isLoading || !(button instanceof HTMLElement)) return;
    isLoading = true;
    const Loaded = await load().catch(() => null);
    isLoading = false;
    if (!Loaded) return void context.actions.showRefusal(formatMessage("The table could not be reached."));
    document.removeEventListener("click", loadComponent);
    draw = mountComponent(Loaded, el, context);
    if (newest) draw(newest);
    button.click(); // now the component handles it
  }

  document.addEventListener("click", loadComponent);
  return (snapshot) => {
    newest = snapshot;
    draw?.(snapshot);
  };
};
