// The service worker: it serves the start page and the daily deal from the cache while the table does not answer. Other
// files are cached by the browser itself, as their addresses contain a hash. Of the API's answers only those that the
// daily deal needs are cached, by its page.

const CACHE_NAME = "pages";
const CACHED_PAGES = ["/", "/daily"];
const CACHED_ANSWERS = /^\/api\/(daily$|constants$|words\/)/;
/** A phone away from home finds nobody at the table's address, and its browser would wait for minutes. */
const PATIENCE_MS = 2500;

const worker = /** @type {any} */ (self); // the page's type libraries lack service workers

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, mode, url } = event.request;
  const { pathname } = new URL(url);
  if (method !== "GET") return;
  if (mode === "navigate" && CACHED_PAGES.includes(pathname)) event.respondWith(answer(event.request, pathname, true));
  else if (CACHED_ANSWERS.test(pathname)) event.respondWith(answer(event.request, url, false));
});

/**
 * Answer a request from the network, or from the cache if the network does not answer.
 * @param {Request} request
 * @param {string} key the address in the cache
 * @param {boolean} isKept whether to cache the answer
 */
async function answer(request, key, isKept) {
  const cache = await caches.open(CACHE_NAME);
  const fresh = fetch(request).then(async (reply) => {
    if (isKept && reply.ok && !reply.redirected) await cache.put(key, reply.clone());
    return reply;
  });
  const cached = await cache.match(key, { ignoreVary: true });
  if (!cached) return fresh;
  const late = new Promise((resolve) => setTimeout(() => resolve(cached), PATIENCE_MS));
  return Promise.race([fresh.catch(() => cached), late]);
}
