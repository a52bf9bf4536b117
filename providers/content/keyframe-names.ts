import { walk, type CssNode } from 'css-tree';

/** The animations of a stylesheet. Animation names apply to the whole page, so each gets the scope as a prefix. */
export interface KeyframeNames {
  /** Renames definitions and uses. */
  rename(tree: CssNode): void;
}

export function createKeyframeNames(sheet: CssNode, scope: string): KeyframeNames {
  const defined = new Set<string>();
  walk(sheet, (node) => {
    if (node.type !== 'Atrule' || node.name.toLowerCase() !== 'keyframes' || !node.prelude) return;
    walk(node.prelude, (part) => {
      if (part.type === 'Identifier') defined.add(part.name);
    });
  });
  const rename = (tree: CssNode) =>
    walk(tree, (node) => {
      if (node.type === 'Identifier' && defined.has(node.name)) node.name = `${scope}-${node.name}`;
    });
  return {
    rename(tree) {
      if (tree.type === 'AtrulePrelude') return rename(tree);
      walk(tree, (node) => {
        if (node.type === 'Declaration' && /^(?:-webkit-)?animation(?:-name)?$/i.test(node.property))
          rename(node.value);
      });
    },
  };
}
