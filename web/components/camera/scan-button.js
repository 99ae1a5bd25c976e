// The button that scans cards with the camera of this phone, in the free place of a card pad. What it opens is loaded on demand.

import { constants } from "../../core/constants.js";
import { formatMessage } from "../../core/i18n.js";
import { WATCHING_SETTING, loadSetting } from "../../core/preferences.js";

const CAMERA_PATH = "M9 4 7.5 6.5H4A2 2 0 0 0 2 8.5v9a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-9a2 2 0 0 0-2-2h-3.5L15 4Zm3 5a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z";

/** Return the button if the table can read photographs, or "". */
export const scanButton = () => (constants.reads_photos
  ? `<button type="button" class="key scan-key" data-scan><svg class="suit" viewBox="0 0 24 24" aria-hidden="true"><path d="${CAMERA_PATH}"/></svg><span>${formatMessage("Scan cards")}</span></button>` : "");

/**
 * Return whether this phone entered cards as they were laid when the page was closed, and may use its camera without asking.
 */
export async function mayWatchAgain() {
  if (!constants.reads_photos || loadSetting(WATCHING_SETTING) !== "yes") return false;
  const camera = await navigator.permissions?.query({ name: /** @type {PermissionName} */ ("camera") }).catch(() => null);
  return camera?.state === "granted";
}

/** Return the module that scans, or null after an error message. @param {Pick<import("../../core/api.js").Actions, "showRefusal">} actions */
export async function loadScan({ showRefusal }) {
  const scan = await import("./scan.js").catch(() => null);
  if (!scan) showRefusal(formatMessage("The table could not be reached."));
  return scan;
}
