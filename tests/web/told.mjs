// What a table tells, without one: tell.py has written it down.

import { readFileSync } from "node:fs";

import { setConstants } from "../../web/core/constants.js";

const read = (name) => JSON.parse(readFileSync(new URL(`told/${name}.json`, import.meta.url), "utf-8"));

setConstants(read("constants"));

/** Snapshots of moments of every game, by what they are. */
export const SCENES = read("scenes");

/** The snapshot of a moment, with some changes. */
export const scene = (name, changes = {}) => ({ ...SCENES[name], ...changes });
