/**
 * Finds faults in a receipt's layout with any font: texts that overlap or leave the paper, sums that are not aligned,
 * sections out of order or without space between them. Runs in the page.
 */
export const layoutFaults = String.raw`(() => {
  const faults = [];
  const article = document.querySelector('.receipt');
  const paper = article.getBoundingClientRect();
  const isSeen = (element) => !element.closest('.unseen');
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.nodeValue.trim() || !isSeen(node.parentElement) || node.parentElement.closest('svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 1) texts.push({ text: node.nodeValue.trim(), box, node });
  }
  for (const { text, box } of texts)
    if (box.left < paper.left - 1 || box.right > paper.right + 1) faults.push('outside the paper: ' + text);
  for (const [at, one] of texts.entries())
    for (const other of texts.slice(at + 1, at + 40)) {
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (wide > 2 && high > 0.4 * Math.min(one.box.height, other.box.height) && one.node !== other.node)
        faults.push('over one another: ' + one.text + ' / ' + other.text);
    }
  const isLeft = getComputedStyle(article).direction === 'rtl';
  const ends = [...article.querySelectorAll('.items > ul > li > .row > .sum, .sums .sum')]
    .map((sum) => Math.round(sum.getBoundingClientRect()[isLeft ? 'left' : 'right']));
  if (Math.max(...ends) - Math.min(...ends) > 1) faults.push('sums end at ' + [...new Set(ends)].join(', '));
  const children = [...article.children].filter((child) => child.getBoundingClientRect().height > 0);
  const sections = children.map((child) => child.getBoundingClientRect());
  const hasRule = (child) => parseFloat(getComputedStyle(child).borderTopWidth) > 0;
  sections.slice(1).forEach((box, at) => {
    if (box.top < sections[at].bottom - 1) faults.push('section ' + (at + 2) + ' begins within the one before');
  });
  sections.slice(1).forEach((box, at) => {
    const inside = texts.filter(({ box: { top } }) => top >= sections[at].top && top < sections[at].bottom);
    const lowest = Math.max(...inside.map((one) => one.box.bottom));
    if (hasRule(children[at + 1]) && box.top - lowest < 4) faults.push('the rule below touches: ' + inside.at(-1).text);
  });
  return faults;
})()`;
