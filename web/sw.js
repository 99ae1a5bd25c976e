// The service worker: it serves the start page from the cache while the table does not answer. Other files are cached by
// the browser itself, as their addresses contain a hash; API answers are never cached.

const CACHE_NAME = "pages";

const worker = /** @type {any} */ (self); // the page's type libraries lack service workers

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.mode === "navigate" && event.request.method === "GET") event.respondWith(answerPage(event.request));
});

/**
 * Answer a page request from the network, or the start page from the cache. Join links are never cached.
 * @param {Request} request
 */
async function answerPage(request) {
  const pages = await caches.open(CACHE_NAME);
  const isHome = new URL(request.url).pathname === "/";
  try {
    const reply = await fetch(request);
    if (isHome && reply.ok && !reply.redirected) await pages.put("/", reply.clone());
    return reply;
  } catch (error) {
    const cached = isHome ? await pages.match("/") : undefined;
    if (cached) return cached;
    throw error;
  }
}
