// The diamond as a small picture: four bases, twenty-four spaces, and the runners.

const SIZE = 200;
const CORNERS = [[100, 178], [178, 100], [100, 22], [22, 100]];
const BOX = [126, 186];
const LEG = 6;

/** Draws `runners`, by space: 0 the batter's box, 6, 12 and 18 the bases. */
export function Diamond(el) {
  const spaces = Array.from({ length: 4 * LEG }, (_, i) => i + 1);
  el.innerHTML = `<svg class="diamond" viewBox="0 0 ${SIZE} ${SIZE}" role="img">
    <path class="grass" d="M${CORNERS.map((corner) => corner.join(" ")).join("L")}Z"/>
    ${spaces.map(space).join("")}<g class="runners"></g></svg>`;
  const svg = el.firstElementChild;
  return ({ runners = [], batting, bases }) => {
    const at = runners.map(spot).map(([x, y]) => `<circle class="runner seat-${batting ?? 0}" cx="${x}" cy="${y}" r="8"/>`);
    svg.lastElementChild.innerHTML = at.join("");
    const on = ["first", "second", "third"].filter((_, i) => bases[i]);
    svg.setAttribute("aria-label", on.length ? `Runners on ${on.join(" and ")}` : "Nobody on base");
  };
}

function space(n) {
  const [x, y] = spot(n);
  return n % LEG
    ? `<circle class="space" cx="${x}" cy="${y}" r="2.5"/>`
    : `<rect class="base" x="${x - 7}" y="${y - 7}" width="14" height="14" transform="rotate(45 ${x} ${y})"/>`;
}

function spot(n) {
  if (n === 0) return BOX;
  const leg = Math.floor(n / LEG) % 4;
  const part = (n % LEG) / LEG;
  return [0, 1].map((axis) => CORNERS[leg][axis] + part * (CORNERS[(leg + 1) % 4][axis] - CORNERS[leg][axis]));
}
