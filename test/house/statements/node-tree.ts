/** PostgreSQL's own parse of a statement, as `debug_print_parse` writes it. */
export type Tree = Node | readonly Tree[] | string | null;
export interface Node {
  readonly is: string;
  readonly [field: string]: Tree;
}

const token = /\s*([{}()]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s{}()])+)/y;

export function readTree(text: string): Tree {
  token.lastIndex = 0;
  const next = () => token.exec(text)?.[1] ?? '';
  const read = (first: string): Tree => {
    if (first === '<>') return null;
    if (first === '(') return readList();
    return first === '{' ? readNode() : first;
  };
  const readList = (): Tree[] => {
    const list: Tree[] = [];
    for (let part = next(); part !== ')' && part !== ''; part = next()) list.push(read(part));
    return list;
  };
  const readNode = (): Node => {
    const node: Record<string, Tree> & { is: string } = { is: next() };
    let field = '';
    for (let part = next(); part !== '}' && part !== ''; part = next()) {
      if (part.startsWith(':')) field = part.slice(1);
      // A constant's bytes follow its length; they are not needed here.
      else node[field] ??= read(part);
    }
    return node;
  };
  return read(next());
}

export const isNode = (tree: Tree | undefined): tree is Node =>
  typeof tree === 'object' && tree !== null && 'is' in tree;
export const nodesOf = (tree: Tree | undefined): Node[] => (Array.isArray(tree) ? tree.filter(isNode) : []);

/** What stands there as a word, such as a number or a name. */
export const wordOf = (tree: Tree | undefined): string => (typeof tree === 'string' ? tree : '');
