// Translation of the page. The English texts are in the code; the catalogue of any other language is fetched once from
// the table: docs/how-to/add-a-language.md.

/** The language of this page. */
export const language = globalThis.document?.documentElement.lang || "en";

/** @type {{ words: Record<string, string[]>, plural: number[] }} */
let catalogue = { words: {}, plural: [] };

/** @param {typeof catalogue} loaded */
export const setCatalogue = (loaded) => void (catalogue = loaded);

/**
 * Load the catalogue of the page's language. If the table does not answer, the page stays in English. The file of a module that
 * is loaded on demand first adds the words of that module: companion/http/bundler.py.
 * @param {string} [part] the module
 */
export async function loadCatalogue(part = "") {
  if (language === "en") return;
  const reply = await fetch(catalogueAddress() + (part && `&part=${part}`), { cache: "no-cache" }).catch(() => null);
  if (!reply?.ok) return;
  const loaded = await reply.json();
  setCatalogue({ ...loaded, words: { ...catalogue.words, ...loaded.words } });
}

/** Return the address of this page's catalogue. */
export const catalogueAddress = () =>
  `/api/words/${encodeURIComponent(language)}?page=${document.querySelector("script")?.src.match(/([\w-]+)\.joined\.js$/)?.[1] ?? ""}`;

/** Return a path of the API with the language of the page as a query parameter. @param {string} path */
export const withLanguage = (path) =>
  language === "en" ? path : `${path}${path.includes("?") ? "&" : "?"}lang=${encodeURIComponent(language)}`;

/**
 * Return a text in the language of the page: `formatMessage("{name} says go.", { name })`. The English pattern is the key of
 * the catalogue.
 * @param {string} pattern
 * @param {Record<string, unknown>} values
 * @returns {string}
 */
export const formatMessage = (pattern, values = {}) => fillPlaceholders(catalogue.words[pattern]?.[0] ?? pattern, values);

/**
 * Return a text in its singular or plural form; `{n}` stands for the number.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Record<string, unknown>} values
 */
export function formatPlural(one, many, n, values = {}) {
  const { words: translations, plural } = catalogue;
  const size = plural.length;
  const form = plural[n < size ? n : size - 100 + (n % 100)] ?? 0; // the table lists the forms; above, two digits decide
  return fillPlaceholders(translations[one]?.[form] ?? (n === 1 ? one : many), { n, ...values });
}

/** Mark a pattern that is translated later, so that it is collected into the catalogues. @param {string} pattern */
export const gettextNoop = (pattern) => pattern;

/** Join names: "Red, Blue and Green". @param {string[]} parts */
export const joinWithAnd = (parts) =>
  parts.length < 2 ? parts.join("") : formatMessage("{most} and {last}", { most: parts.slice(0, -1).join(", "), last: parts.at(-1) });

/**
 * Fill the placeholders of a pattern. `{vom|von name}` is *vom* before the companion's name, which is a noun, and *von* before any
 * other; `{der name}` has no word there.
 * @param {string} pattern
 * @param {Record<string, unknown>} values
 * @returns {string}
 */
const fillPlaceholders = (pattern, values) => pattern.replace(/\{(?:([^\s{}|]+)(?:\|([^\s{}|]+))? )?(\w+)\}/g, (place, noun, other, name) => {
  if (!(name in values)) return place;
  const value = String(values[name]), word = noun && value === formatMessage("Companion") ? noun : other;
  return word ? `${word} ${value}` : value;
});
