// The frame around the table's pages: it starts the table in a worker, shows what is being loaded, passes on the
// requests that the service worker has taken from the pages, and keeps the pages inside this folder.

/** @type {Record<string, string>} */
const GERMAN = {
  "This is the simulated board.": "Das ist das simulierte Brett.",
  "Build one": "Bau dir eins",
  ", or": " oder",
  "use your own board and a phone": "nimm dein eigenes Brett und ein Handy",
  "Start again": "Von vorn",
  "The cribbage board that knows": "Das Cribbage-Brett, das mitdenkt",
  "Looking for what is needed": "Sucht, was gebraucht wird",
  "Loading Python": "Lädt Python",
  "Loading the table": "Lädt den Tisch",
  "Setting up the table": "Baut den Tisch auf",
  "This browser cannot run the simulated board. A newer Chrome or Edge can. This is what it looks like:":
    "Dieser Browser kann das simulierte Brett nicht ausführen. Ein neueres Chrome oder Edge kann es. So sieht es aus:",
  "The board is already open in another tab. Close that one, then reload this page.":
    "Das Brett ist schon in einem anderen Tab offen. Schließ den, dann lade diese Seite neu.",
  "The simulated board did not start. Reload this page, or start again.":
    "Das simulierte Brett ist nicht gestartet. Lade diese Seite neu oder fang von vorn an.",
};
const isGerman = navigator.languages[0]?.startsWith("de");
const translate = (/** @type {string} */ text) => (isGerman && GERMAN[text]) || text;
const find = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

/** What a table in a browser does not have: other phones, cables, boards. */
const ABSENT = "a[href^='/invite'], [data-part=phones], .game-way:disabled, section:has(> [data-part=cables]) { display: none }";
const FOLDER = new URL(".", location.href).pathname;
/** The database in which the worker keeps the folder of the journal, named for that folder. */
const DATABASE = "/kept";

if (isGerman) document.documentElement.lang = "de";
for (const each of document.querySelectorAll("[data-text]")) each.textContent = translate(each.textContent);

const canRun = navigator.serviceWorker && navigator.locks && "Suspending" in (globalThis.WebAssembly ?? {});
if (!canRun) refuse("This browser cannot run the simulated board. A newer Chrome or Edge can. This is what it looks like:");
else navigator.locks.request("table", { ifAvailable: true }, (lock) => {
  if (!lock) return refuse("The board is already open in another tab. Close that one, then reload this page.");
  open().catch(() => refuse("The simulated board did not start. Reload this page, or start again."));
  return new Promise(() => {}); // keeps the lock as long as the page is open
});

/** @param {string} sentence */
function refuse(sentence) {
  find("loading").hidden = true;
  find("refusal").hidden = false;
  find("why").textContent = translate(sentence);
}

/** Start the table, then show its bench. */
async function open() {
  await navigator.serviceWorker.register("service-worker.js");
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller)
    await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  const worker = new Worker("worker.js", { type: "module" });
  find("again").hidden = false;
  find("again").onclick = () => {
    worker.terminate();
    indexedDB.deleteDatabase(DATABASE).onsuccess = () => location.reload();
  };
  await new Promise((resolve, reject) => {
    worker.onerror = reject;
    worker.onmessage = ({ data }) => {
      if (data.isReady) return resolve(data);
      if (data.kept) return void (document.body.dataset.kept = data.kept);
      find("what").textContent = translate(data.what);
      find("progress").value = data.part;
    };
  });
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
    const headers = { ...data.headers, cookie: document.cookie, "accept-language": navigator.languages.join(", ") };
    worker.postMessage({ ...data, headers }, [...ports]);
  });
  navigator.serviceWorker.startMessages();
  showPages();
}

/** Show the bench. The pages name each other from the root of a host, so the way to another page is put right. */
function showPages() {
  const frame = document.createElement("iframe");
  frame.title = translate("The cribbage board that knows");
  frame.addEventListener("load", () => {
    const pages = /** @type {any} */ (frame.contentWindow);
    const sheet = new pages.CSSStyleSheet(); // the table's pages allow no styles in them
    sheet.replaceSync(ABSENT);
    pages.document.adoptedStyleSheets.push(sheet);
    pages.navigation.addEventListener("navigate", (/** @type {any} */ event) => {
      const to = new URL(event.destination.url);
      if (to.origin !== location.origin || to.pathname.startsWith(FOLDER)) return;
      event.preventDefault();
      pages.location.assign(FOLDER + to.pathname.slice(1) + to.search + to.hash);
    });
  });
  frame.src = "bench";
  find("loading").replaceWith(frame);
}
