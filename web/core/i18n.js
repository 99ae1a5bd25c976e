// What the page says, in the language it was sent in. English is in the code; any other comes once, from the table's own
// catalogue, the same that its sentences are said from: docs/how-to/add-a-language.md.

/** The language of this page. */
export const language = globalThis.document?.documentElement.lang || "en";

/** @type {{ words: Record<string, string[]>, plural: number[] }} */
let catalogue = { words: {}, plural: [] };

/**
 * Say everything from this catalogue from now on.
 * @param {typeof catalogue} told
 */
export const speak = (told) => void (catalogue = told);

/** Learn the words, before anything is said; a table that does not answer is heard in English. */
export async function learnWords() {
  if (language === "en") return;
  const [, page = ""] = document.querySelector("script")?.src.match(/([\w-]+)\.joined\.js$/) ?? [];
  const reply = await fetch(`/api/words/${encodeURIComponent(language)}?page=${page}`, { cache: "no-cache" }).catch(() => null);
  if (reply?.ok) speak(await reply.json());
}

/**
 * The address of what the table answers in this page's language.
 * @param {string} path
 */
export const inLanguage = (path) =>
  language === "en" ? path : `${path}${path.includes("?") ? "&" : "?"}lang=${encodeURIComponent(language)}`;

/**
 * A sentence, or a part of one: `say("{name} says go.", { name })`. The pattern, in English, is what is translated.
 * @param {string} pattern
 * @param {Record<string, unknown>} words
 */
export const say = (pattern, words = {}) => filled(catalogue.words[pattern]?.[0] ?? pattern, words);

/**
 * The same for one and for many; the number itself is `{n}`.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Record<string, unknown>} words
 */
export function sayMany(one, many, n, words = {}) {
  const { words: known, plural } = catalogue;
  const size = plural.length;
  const form = plural[n < size ? n : size - 100 + (n % 100)] ?? 0; // as the table tells it: beyond, two digits decide
  return filled(known[one]?.[form] ?? (n === 1 ? one : many), { n, ...words });
}

/**
 * Marks a pattern that is said later, for the list of all that wants translating.
 * @param {string} pattern
 */
export const phrase = (pattern) => pattern;

/**
 * "Red, Blue and Green".
 * @param {string[]} parts
 */
export const listed = (parts) =>
  parts.length < 2 ? parts.join("") : say("{most} and {last}", { most: parts.slice(0, -1).join(", "), last: parts.at(-1) });

/**
 * @param {string} pattern
 * @param {Record<string, unknown>} words
 */
const filled = (pattern, words) => pattern.replace(/\{(\w+)\}/g, (place, name) => (name in words ? String(words[name]) : place));
