// Collects in `window.heard` what a screen reader would announce: see ear.py.

(() => {
  window.heard = [];
  const IMPLIED = {status: 'polite', alert: 'assertive', log: 'polite'};
  const liveness = region => region.getAttribute('aria-live') ?? IMPLIED[region.getAttribute('role')];
  const isSilent = el => !el.isConnected || el.closest('[hidden], [aria-hidden=true]') !== null || getComputedStyle(el).display === 'none'
    || (document.querySelector('dialog:modal') !== null && el.closest('dialog:modal') === null);
  const spoken = node => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || node.hidden || node.getAttribute('aria-hidden') === 'true' || node.closest('details:not([open]) > :not(summary)')) return '';
    return node.getAttribute('aria-label') ?? [...node.childNodes].map(spoken).join(' ');
  };
  const say = text => { const words = text.replace(/\s+/g, ' ').trim(); if (words) heard.push(words); };
  new MutationObserver(records => {
    const parts = new Map();
    for (const {type, target, addedNodes} of records) {
      const el = target.nodeType === 1 ? target : target.parentElement;
      const region = el?.closest('[aria-live], [role=status], [role=alert], [role=log]');
      if (document.readyState === 'loading' || !region || !['polite', 'assertive'].includes(liveness(region)) || isSilent(el)) continue;
      const isAtomic = (region.getAttribute('aria-atomic') ?? String(['status', 'alert'].includes(region.getAttribute('role')))) === 'true';
      const found = isAtomic ? [region] : type === 'childList' ? [...addedNodes] : type === 'characterData' ? [el] : el === region ? [region] : [];
      const known = parts.get(region) ?? new Set();
      for (const each of found) known.add(each);
      parts.set(region, known);
    }
    for (const nodes of parts.values()) say([...nodes].filter(each => ![...nodes].some(other => other !== each && other.contains(each))).map(spoken).join(' '));
  }).observe(document, {subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['hidden']});
})();
