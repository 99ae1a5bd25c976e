// What the game and the panel of 'Round the Bases share.

import { formatMessage, gettextNoop } from "../core/i18n.js";

const BASE_NAMES = [gettextNoop("home"), gettextNoop("first"), gettextNoop("second"), gettextNoop("third")];
/** @param {number} base */
export const baseName = (base) => formatMessage(BASE_NAMES[base % 4]);
