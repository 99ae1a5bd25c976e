// The camera of this phone as a live picture. Browsers offer it with https or on localhost, and ask for permission.

import { isSecure } from "../../core/service-worker.js";

const WIDTH_PX = 1600;

/** Whether the browser can show a live picture at this address. */
export const hasLiveCamera = () => isSecure() && typeof navigator.mediaDevices?.getUserMedia === "function";

/**
 * Show the camera in a video element. Return the function that stops it, or null without a camera or permission.
 * @param {HTMLVideoElement} video
 * @returns {Promise<(() => void) | null>}
 */
export async function startCamera(video) {
  const wanted = { video: { facingMode: "environment", width: { ideal: WIDTH_PX } }, audio: false };
  const stream = await navigator.mediaDevices.getUserMedia(wanted).catch(() => null);
  if (!stream) return null;
  video.srcObject = stream;
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
    if (video.srcObject === stream) video.srcObject = null;
  };
  return video.play().then(() => stop, () => (stop(), null));
}
