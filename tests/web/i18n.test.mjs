// The texts of the page in another language.

import assert from "node:assert/strict";
import test from "node:test";

import { formatMessage, formatPlural, setCatalogue } from "../../web/core/i18n.js";

const WORDS = {
  Companion: ["Begleiter"], "{name} deals next.": ["Jetzt gibt {der name}."], "{name}'s crib: {n}": ["Crib {vom|von name}: {n}"],
  "{name}: {n} card": ["{Der name} hat {n} Karte.", "{Der name} hat {n} Karten."],
};

test("only the name of the companion has an article", () => {
  setCatalogue({ words: WORDS, plural: [1, 0, 1] });
  const texts = (name) => [formatMessage("{name} deals next.", { name }), formatMessage("{name}'s crib: {n}", { name, n: 4 }), formatPlural("{name}: {n} card", "{name}: {n} cards", 2, { name })];
  assert.deepEqual(texts("Begleiter"), ["Jetzt gibt der Begleiter.", "Crib vom Begleiter: 4", "Der Begleiter hat 2 Karten."]);
  assert.deepEqual(texts("Mia"), ["Jetzt gibt Mia.", "Crib von Mia: 4", "Mia hat 2 Karten."]);
  setCatalogue({ words: {}, plural: [] });
  assert.equal(formatMessage("{name} of {missing}", { name: "Companion" }), "Companion of {missing}");
});
