// Runs in the page, so it is JavaScript in a string: the tests have no types of the DOM.

/** The faults that a reader can see in the current view of a page, as `fault: element "text"`. */
export const VISIBLE_FAULTS = `(() => {
  const faults = new Set();
  const name = (element) => element.tagName.toLowerCase() + (element.className ? '.' + element.className : '');
  const report = (what, element, text) =>
    faults.add(what + ': ' + name(element) + ' "' + (text ?? element.textContent).trim().slice(0, 60) + '"');
  if (document.documentElement.scrollWidth > innerWidth) report('scrolls sideways', document.body, '');

  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => [r, g, b]
    .map((one) => one / 255)
    .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const groundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const ground = channels(getComputedStyle(at).backgroundColor);
      if (ground.length === 3 || ground[3] === 1) return ground;
    }
    return [255, 255, 255];
  };
  const contrast = (element) => {
    const [a, b] = [channels(getComputedStyle(element).color), groundOf(element)].map(luminance);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  /** Whether an ancestor shows the rest: by scrolling, or by an ellipsis that says that there is more. */
  const handles = (element) => {
    for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX, textOverflow, clipPath } = getComputedStyle(at);
      if (textOverflow === 'ellipsis' && overflowX !== 'visible') return true;
      if (clipPath !== 'none') return true;
      // A vertical scroller scrolls sideways too if it must: that is a fault unless it is meant to.
      if ((overflowX === 'auto' || overflowX === 'scroll') && at.matches('.scroll, .json, [role=tablist]')) return true;
    }
    return false;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === '' || !element.checkVisibility() || element.closest('script, noscript, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, width } = range.getBoundingClientRect();
    if (width === 0 || element.closest('.unseen')) continue;
    const letters = node.data.trim().length;
    // The boxes of long texts take minutes to count in a large page.
    const isShort = letters > 5 && letters < 100;
    if (isShort && range.getClientRects().length > letters / 2) report('broken into letters', element, node.data);
    if (contrast(element) < 4.5) report('contrast ' + contrast(element).toFixed(1), element, node.data);
    if (handles(element)) continue;
    if (right > innerWidth + 1 || left < -1) report('outside the window', element, node.data);
    for (let at = element; at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX === 'hidden' && right > at.getBoundingClientRect().right + 1)
        report('cut', element, node.data);
  }
  for (const element of document.querySelectorAll('#app *')) {
    const { overflowX } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth + 1 &&
      !element.matches('.scroll, .json, [role=tablist], input, select')) report('scrolls sideways', element);
    if (element.matches('select') && element.scrollWidth > element.clientWidth + 1) report('cut', element, element.value);
  }
  return [...faults];
})()`;
