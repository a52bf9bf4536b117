/**
 * Finds short words that are broken, rules that touch a text, texts that begin on the other side because they are of
 * another language, and what is wider than the screen. Runs in the page.
 */
export const readingFaults = String.raw`(() => {
  const longest = 14;
  const faults = [];
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest('style,svg,.unseen')) continue;
    for (const { 0: word, index } of node.nodeValue.matchAll(/[\p{L}\p{N}]+/gu)) {
      if (word.length > longest) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const bottoms = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
      if (bottoms.size > 1) faults.push('broken: ' + word);
      for (const bottom of bottoms) lines.push({ text: word, bottom });
    }
  }
  const rules = [...document.body.querySelectorAll('*:not(input):not(button)')]
    .filter((one) => parseFloat(getComputedStyle(one).borderTopWidth) > 0)
    .map((one) => one.getBoundingClientRect().top);
  for (const { text, bottom } of lines) {
    if (rules.some((top) => top > bottom - 4 && top < bottom + 4)) faults.push('touches the rule below: ' + text);
  }
  const main = document.documentElement.dir;
  for (const element of document.body.querySelectorAll('*:not(svg *)')) {
    const { display, direction, textAlign } = getComputedStyle(element);
    const isOwn = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim());
    if (isOwn && display !== 'inline' && textAlign !== 'center' && direction !== main)
      faults.push('on the other side: ' + element.textContent);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the screen');
  return faults;
})()`;
