// Who holds this phone: `?seat=N` turns the view to a seat, and changes no right.

const asked = new URLSearchParams(location.search).get("seat");

/** The seat this page is turned to, or null. */
export const SEAT = asked !== null && /^[0-4]$/.test(asked) ? Number(asked) : null;
