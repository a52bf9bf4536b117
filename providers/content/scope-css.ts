import { List, walk, type CssNode, type Selector, type SelectorList } from 'css-tree';
import { pageSelectors } from './css-words.ts';
import { ownId } from './own-id.ts';

/**
 * Scopes the selectors of a rule to `.scope`; undefined where none remains.
 *
 * `html`, `body` and `:root` mean the box itself. A selector that begins with a combinator or with `&` could match
 * neighbours of the box, so it is removed.
 */
export function scopeSelectors(given: SelectorList, scope: string): SelectorList | undefined {
  const scoped = given.children.toArray().flatMap((one) => (one.type === 'Selector' ? scopeSelector(one, scope) : []));
  return scoped.length === 0 ? undefined : { type: 'SelectorList', children: new List<CssNode>().fromArray(scoped) };
}

function scopeSelector(selector: Selector, scope: string): Selector[] {
  if (!isUnderstood(selector)) return [];
  walk(selector, (node) => {
    if (node.type === 'IdSelector') node.name = ownId(node.name);
  });
  const parts = selector.children.toArray();
  const [first, second] = parts;
  if (!first || first.type === 'Combinator') return [];
  const rest = isPage(first) && leadsInside(second) ? parts.slice(1) : [inside, ...parts];
  return [
    { type: 'Selector', children: new List<CssNode>().fromArray([{ type: 'ClassSelector', name: scope }, ...rest]) },
  ];
}

const inside: CssNode = { type: 'Combinator', name: ' ' };

function isUnderstood(selector: Selector): boolean {
  let isPlain = true;
  walk(selector, (node) => {
    if (node.type === 'Raw' || node.type === 'NestingSelector') isPlain = false;
  });
  return isPlain;
}

const isPage = (node: CssNode) =>
  (node.type === 'TypeSelector' && pageSelectors.has(node.name.toLowerCase())) ||
  (node.type === 'PseudoClassSelector' && !node.children && pageSelectors.has(`:${node.name.toLowerCase()}`));

/** `body + p` would match the box's neighbour. */
const leadsInside = (next: CssNode | undefined) =>
  next === undefined || (next.type === 'Combinator' && (next.name === ' ' || next.name === '>'));
