// Pointer and keyboard over the board's picture. A click counts for the nearest hole: holes are small, fingers not.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** `touch(hole)` at a click or Enter, `at(hole or null)` where the keyboard is, `carried()` the peg in the hand. */
export function steer(picture, { touch, at, carried }) {
  const { svg, holes } = picture;
  let here = null;
  svg.setAttribute("role", "application");
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("aria-roledescription", "board: arrow keys choose a hole, Enter lifts or sets down a peg");

  svg.addEventListener("pointermove", (event) => picture.cursor(picture.nearest(event), carried()));
  svg.addEventListener("pointerleave", () => picture.cursor(null));
  svg.addEventListener("blur", () => picture.cursor(null));
  svg.addEventListener("click", (event) => {
    const hole = picture.nearest(event);
    if (hole) touch(hole);
  });
  svg.addEventListener("keydown", (event) => {
    if (event.key in ARROWS) go(next(ARROWS[event.key]));
    else if (event.key === "Enter" || event.key === " ") here && touch(here), go(here);
    else return;
    event.preventDefault();
  });

  function go(hole) {
    here = hole;
    picture.cursor(hole, carried());
    at(hole);
  }

  /** The nearest hole in a direction, as seen on the screen. */
  function next([dx, dy]) {
    const seen = (id) => {
      const { x, y, width, height } = svg.querySelector(`[data-hole="${CSS.escape(id)}"]`).getBoundingClientRect();
      return { id, x: x + width / 2, y: y + height / 2 };
    };
    const all = [...holes.keys()].map(seen);
    const from = here ? seen(here) : all[0];
    if (!here) return from.id;
    const cost = ({ x, y }) => {
      const along = (x - from.x) * dx + (y - from.y) * dy;
      const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
      return along > 1 ? along + 3 * aside : Infinity;
    };
    const best = all.reduce((a, b) => (cost(b) < cost(a) ? b : a));
    return cost(best) < Infinity ? best.id : here;
  }
}
