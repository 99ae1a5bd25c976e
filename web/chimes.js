// Short sounds, each a few notes: [hertz, when it begins, how long], in seconds. Change them as you like.

/** @typedef {[hertz: number, from: number, long: number]} Note */

/** @type {Record<string, Note[]>} */
export const CHIMES = {
  right: [[880, 0, 0.12], [1320, 0.09, 0.2]],
  wrong: [[220, 0, 0.18], [185, 0.16, 0.3]],
  go: [[587, 0, 0.12], [587, 0.15, 0.12]],
  capture: [[988, 0, 0.1], [659, 0.1, 0.1], [330, 0.2, 0.4]],
  run: [[523, 0, 0.1], [659, 0.1, 0.1], [784, 0.2, 0.1], [1047, 0.3, 0.4]],
  win: [[523, 0, 0.15], [659, 0.15, 0.15], [784, 0.3, 0.15], [1047, 0.45, 0.6], [784, 0.45, 0.6]],
};

const LOUD = 0.2;
/** @type {AudioContext | null} */
let audio = null;

/** A browser makes no sound before somebody has touched the page: call this when somebody does. */
export function wake() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}

/** @param {string} name */
export function chime(name) {
  if (audio?.state !== "running") return;
  for (const [hertz, from, long] of CHIMES[name] ?? []) {
    const [tone, volume, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + from];
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(LOUD, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + long);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + long);
  }
}
