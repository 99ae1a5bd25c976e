// Registers the service worker, which opens pages without a connection. It needs https or localhost.

/** Whether the browser offers these features: they need a secure context, otherwise the page says so. */
export const isSecure = () => globalThis.isSecureContext === true;

/** Register the service worker, which keeps this page for times without a connection. */
export function registerServiceWorker() {
  if (isSecure()) navigator.serviceWorker?.register("/sw.js").catch(() => {});
}
