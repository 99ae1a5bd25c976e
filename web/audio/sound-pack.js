// The sounds that this phone has chosen, known also while nothing is heard yet.

export const sounding = {
  /** @type {{ [sound: string]: string }} The files of the chosen pack, by the name of the sound. */
  files: {},
  /** Called when others were chosen. */
  changed() {},
};

/** @param {{ [sound: string]: string }} files */
export function choose(files) {
  sounding.files = files;
  sounding.changed();
}
