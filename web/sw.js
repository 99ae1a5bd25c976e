// The page without its table: kept from the last time, it opens where nothing answers, says so, and comes back by itself.
// Only pages go through here. Their files a browser keeps for ever by their addresses; what the table tells is never kept.

const KEPT = "pages";

const worker = /** @type {any} */ (self); // the types are those of a page

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.mode === "navigate" && event.request.method === "GET") event.respondWith(opened(event.request));
});

/**
 * The page from the table, kept for another time; or the one that was kept. Links to join are never kept.
 * @param {Request} request
 */
async function opened(request) {
  const pages = await caches.open(KEPT);
  const isHome = new URL(request.url).pathname === "/";
  try {
    const reply = await fetch(request);
    if (isHome && reply.ok && !reply.redirected) await pages.put("/", reply.clone());
    return reply;
  } catch (error) {
    const kept = isHome ? await pages.match("/") : undefined;
    if (kept) return kept;
    throw error;
  }
}
