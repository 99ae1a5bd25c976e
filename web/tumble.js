// Dice that tumble and stop. What they show in the end is settled when they begin; who wants no motion sees only that.

const STEP_MS = 120;
const STEPS = 11;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** Returns `show(faces, tumbles)`: `draw(faces)` at once, or after some others. Dice that lay there already lie still. */
export function Tumble(draw) {
  let lying = null;
  let timer = 0;

  function roll(faces, still, steps) {
    draw(steps ? faces.map((face, i) => (i < still ? face : 1 + Math.floor(6 * Math.random()))) : faces);
    if (steps) timer = setTimeout(roll, STEP_MS, faces, still, steps - 1);
  }

  return (faces, tumbles) => {
    if (lying && String(faces) === String(lying)) return;
    clearTimeout(timer);
    const known = lying ?? [];
    const still = known.length < faces.length && known.every((face, i) => face === faces[i]) ? known.length : 0;
    lying = faces;
    roll(faces, still, tumbles && faces.length && !STILL.matches ? STEPS : 0);
  };
}

/** Whether the dice of a snapshot fell out of the board's own cup: those of one's own were seen to fall. */
export const tumbled = ({ last, dice }) => Boolean(dice) && !(last?.move?.type === "roll" && last.by === "phone");
