// Short sounds: the files of the chosen sound pack, or else a few notes.

import { soundPack } from "./sound-pack.js";

/** A note: its frequency in hertz, its start and its length in seconds. @typedef {[hertz: number, from: number, long: number]} Note */

/** @type {Record<string, Note[]>} */
export const CHIMES = {
  right: [[880, 0, 0.12], [1320, 0.09, 0.2]],
  wrong: [[220, 0, 0.18], [185, 0.16, 0.3]],
  go: [[587, 0, 0.12], [587, 0.15, 0.12]],
  capture: [[988, 0, 0.1], [659, 0.1, 0.1], [330, 0.2, 0.4]],
  "home-run": [[523, 0, 0.1], [659, 0.1, 0.1], [784, 0.2, 0.1], [1047, 0.3, 0.4]],
  win: [[523, 0, 0.15], [659, 0.15, 0.15], [784, 0.3, 0.15], [1047, 0.45, 0.6], [784, 0.45, 0.6]],
};

const VOLUME = 0.2;
/** @type {AudioContext | null} */
let context = null;

/** Decoded sound files by address; null for a file that this browser cannot play. @type {Map<string, Promise<AudioBuffer | null>>} */
const sounds = new Map();

soundPack.onChange = () => void (context && loadSounds());

/** Unlock audio. Browsers play no sound before the page has been touched: call this from an event handler. */
export function unlockAudio() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  loadSounds();
}

/** Load all files of the pack, so that each can be played without delay. */
const loadSounds = () => Object.values(soundPack.files).forEach((file) => sounds.has(file) || sounds.set(file, decodeSound(file)));

/** @param {string} file */
async function decodeSound(file) {
  try {
    const reply = await fetch(file);
    return reply.ok && context ? await context.decodeAudioData(await reply.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

/** @param {string} name */
export async function playChime(name) {
  if (context?.state !== "running") return;
  const sound = await sounds.get(soundPack.files[name]);
  if (!sound) return playNotes(context, CHIMES[name] ?? []);
  const source = context.createBufferSource();
  source.buffer = sound;
  source.connect(context.destination);
  source.start();
}

/**
 * Play notes by an oscillator.
 * @param {AudioContext} audio
 * @param {Note[]} notes
 */
function playNotes(audio, notes) {
  for (const [hertz, start, length] of notes) {
    const [tone, volume, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + start];
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(VOLUME, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}
