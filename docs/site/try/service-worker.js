// Answers the requests of the table's pages from the table in the worker, and all files of this folder from a cache,
// so that the second visit needs no network. `make site` writes files.js: which files there are, and which are packed,
// since many servers pack nothing.

const worker = /** @type {any} */ (self);
worker.importScripts("files.js");
const { version, files, packed } = /** @type {{ version: string, files: string[], packed: string[] }} */ (worker.site);
const FOLDER = new URL(worker.registration.scope).pathname;

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(takeOver()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin) return;
  const name = url.pathname.startsWith(FOLDER) ? url.pathname.slice(FOLDER.length) : null;
  const isFrame = name === "" && event.request.destination !== "iframe"; // the table has a first page too
  if (!isFrame && event.request.method === "GET" && url.pathname.startsWith("/web/")) event.respondWith(answerOnce(event.request, url));
  else if (isFrame || files.includes(name ?? "")) event.respondWith(answerFile(name || "index.html"));
  else if (name !== null || event.request.mode !== "navigate") event.respondWith(askTable(event.request, name ?? url.pathname.slice(1), url.search));
});

/** Remove the files of older versions. */
async function takeOver() {
  for (const name of await caches.keys()) if (name !== version) await caches.delete(name);
  await worker.clients.claim();
}

/** @param {string} name */
async function answerFile(name) {
  const cache = await caches.open(version);
  const cached = await cache.match(name);
  if (cached) return cached;
  const response = await fetch(packed.includes(name) ? `${name}.packed` : name, { cache: "no-cache" });
  if (!response.ok) return response;
  const body = packed.includes(name) ? /** @type {any} */ (response.body).pipeThrough(new DecompressionStream("gzip")) : response.body;
  const type = name.endsWith(".wasm") ? "application/wasm" : name.endsWith("js") ? "text/javascript" : response.headers.get("Content-Type");
  const whole = new Response(body, { headers: { "Content-Type": type ?? "" } });
  await cache.put(name, whole);
  return /** @type {Response} */ (await cache.match(name));
}

/** Answer a request for a file of the pages, whose address changes with its content. @param {Request} request @param {URL} url */
async function answerOnce(request, url) {
  const cache = await caches.open(version);
  const cached = await cache.match(url);
  if (cached) return cached;
  const response = await askTable(request, url.pathname.slice(1), url.search);
  if (response.headers.get("Cache-Control")?.includes("immutable")) await cache.put(url, response.clone());
  return response;
}

/**
 * Pass a request to the page that has the table. Its port gets the head, the parts of the body, and null at the end.
 * @param {Request} request
 * @param {string} path
 * @param {string} query
 * @returns {Promise<Response>}
 */
async function askTable(request, path, query) {
  const windows = await worker.clients.matchAll({ type: "window" });
  const frames = windows.filter((/** @type {any} */ each) => each.frameType === "top-level");
  const { port1: port, port2 } = new MessageChannel();
  const message = { method: request.method, path: `/${path}`, query: query.slice(1), headers: Object.fromEntries(request.headers), body: await request.arrayBuffer() };
  return new Promise((resolve) => {
    /** @type {ReadableStreamDefaultController} */
    let parts;
    const body = new ReadableStream({ start: (controller) => void (parts = controller), cancel: () => port.postMessage("gone") });
    port.onmessage = ({ data }) => {
      if (data === null) parts.close();
      else if (data instanceof Uint8Array) parts.enqueue(data);
      else resolve(new Response([204, 304].includes(data.status) ? null : body, data));
    };
    for (const frame of frames) frame.postMessage(message, [port2]);
  });
}
