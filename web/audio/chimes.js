// Short sounds: the files of a pack, and where it has none, a few notes: [hertz, when it begins, how long], in seconds.

import { sounding } from "./sound-pack.js";

/** @typedef {[hertz: number, from: number, long: number]} Note */

/** @type {Record<string, Note[]>} */
export const CHIMES = {
  right: [[880, 0, 0.12], [1320, 0.09, 0.2]],
  wrong: [[220, 0, 0.18], [185, 0.16, 0.3]],
  go: [[587, 0, 0.12], [587, 0.15, 0.12]],
  capture: [[988, 0, 0.1], [659, 0.1, 0.1], [330, 0.2, 0.4]],
  "home-run": [[523, 0, 0.1], [659, 0.1, 0.1], [784, 0.2, 0.1], [1047, 0.3, 0.4]],
  win: [[523, 0, 0.15], [659, 0.15, 0.15], [784, 0.3, 0.15], [1047, 0.45, 0.6], [784, 0.45, 0.6]],
};

const LOUD = 0.2;
/** @type {AudioContext | null} */
let audio = null;

/**
 * What was loaded, by its address; null for what is no sound to this browser.
 * @type {Map<string, Promise<AudioBuffer | null>>}
 */
const loaded = new Map();

sounding.changed = () => void (audio && load());

/** A browser makes no sound before somebody has touched the page: call this when somebody does. */
export function wake() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  load();
}

/** All files of the pack, so that each sounds at once when its moment comes. */
const load = () => Object.values(sounding.files).forEach((file) => loaded.has(file) || loaded.set(file, decoded(file)));

/** @param {string} file */
async function decoded(file) {
  try {
    const reply = await fetch(file);
    return reply.ok && audio ? await audio.decodeAudioData(await reply.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

/** @param {string} name */
export async function chime(name) {
  if (audio?.state !== "running") return;
  const sound = await loaded.get(sounding.files[name]);
  if (!sound) return ring(audio, CHIMES[name] ?? []);
  const source = audio.createBufferSource();
  source.buffer = sound;
  source.connect(audio.destination);
  source.start();
}

/**
 * @param {AudioContext} audio
 * @param {Note[]} notes
 */
function ring(audio, notes) {
  for (const [hertz, from, long] of notes) {
    const [tone, volume, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + from];
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(LOUD, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + long);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + long);
  }
}
