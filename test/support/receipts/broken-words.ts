/** Finds short words that are broken, and what is wider than the screen. Runs in the page. */
export const brokenWords = String.raw`(() => {
  const longest = 14;
  const faults = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest('style,svg,.unseen')) continue;
    for (const { 0: word, index } of node.nodeValue.matchAll(/[\p{L}\p{N}]+/gu)) {
      if (word.length > longest) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
      if (lines.size > 1) faults.push('broken: ' + word);
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the screen');
  return faults;
})()`;
