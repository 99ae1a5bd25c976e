// How a table is heard: what happened between two snapshots, as a chime and in speech. Comes when sound is turned on.

import { chime, wake } from "./chimes.js";
import { chimeOf, spoken } from "./telling.js";

/** A browser makes no sound before somebody has touched the page: call this when somebody does. */
export const listen = () => wake();

/**
 * What is newer ends what is still being said.
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 */
export function tell(before, now) {
  const [sound, words] = [chimeOf(before, now), spoken(before, now)];
  if (sound) chime(sound);
  if (!words.length || !globalThis.speechSynthesis) return;
  const speech = new SpeechSynthesisUtterance(words.join(" "));
  speech.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(speech);
}
