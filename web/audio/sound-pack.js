// The sound pack chosen on this phone. It is known even while sound is off.

export const soundPack = {
  /** @type {{ [sound: string]: string }} Addresses of the pack's files by the name of the sound. */
  files: {},
  /** Called when another pack is chosen. */
  onChange() {},
};

/** @param {{ [sound: string]: string }} files */
export function chooseSoundPack(files) {
  soundPack.files = files;
  soundPack.onChange();
}
