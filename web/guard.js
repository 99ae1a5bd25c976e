// One part that fails stops no other.

/**
 * The same draw, but one that throws (or whose promise is refused) is told to the console, the same error once, and what
 * the part drew before stays.
 */
export function guarded(draw) {
  let told = "";
  const tell = (error) => {
    if (String(error) !== told) console.error(error);
    told = String(error);
  };
  return (...given) => {
    try {
      const drawn = draw(...given);
      return drawn instanceof Promise ? drawn.catch(tell) : drawn;
    } catch (error) {
      return tell(error);
    }
  };
}

/** A part in its place: its draw, guarded; one that cannot even be mounted draws nothing. */
export const mounted = (Part, el, context) => guarded(guarded(Part)(el, context) ?? (() => {}));
