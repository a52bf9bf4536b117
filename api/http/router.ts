import type { AnyRoute, Method } from './route.ts';

export interface Match<Entry> {
  entry: Entry;
  params: Record<string, string>;
}

interface Leaf<Entry> {
  entry: Entry;
  names: readonly string[];
}

interface Node<Entry> {
  literals: Map<string, Node<Entry>>;
  variable: Node<Entry> | undefined;
  /** A platform path that is not served: no variable may match its word. */
  isClosed: boolean;
  leaves: Map<string, Leaf<Entry>>;
}

export interface Router<Entry> {
  find(method: string, segments: readonly string[]): Match<Entry> | undefined;
  /** The methods of the path, for `Allow`. */
  methodsOf(segments: readonly string[]): readonly string[];
}

const emptyNode = <Entry>(): Node<Entry> => ({
  literals: new Map(),
  variable: undefined,
  isClosed: false,
  leaves: new Map(),
});

/**
 * A tree of path segments: a literal segment wins over a variable, in any order of the list (platform facts 4.1).
 *
 * Throws for two routes with the same method and path, which is a programming error.
 *
 * @param closed literal paths that are not served and must not be read as a sku or an id
 */
export function createRouter<Entry extends { route: AnyRoute }>(
  entries: readonly Entry[],
  closed: readonly string[] = [],
): Router<Entry> {
  const root = emptyNode<Entry>();
  for (const path of closed) segmentsOf(path).reduce(literalOf, root).isClosed = true;
  for (const entry of entries) insert(root, entry);
  return {
    find(method, segments) {
      const leaf = walk(root, segments, 0, method);
      return leaf && { entry: leaf.entry, params: valuesOf(leaf, segments) };
    },
    methodsOf: (segments) => methods.filter((method) => walk(root, segments, 0, method)),
  };
}

/** Every other verb is answered with 405. */
export const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

export const segmentsOf = (path: string) => path.split('/').slice(1);

function insert<Entry extends { route: AnyRoute }>(root: Node<Entry>, entry: Entry): void {
  const { method, path } = entry.route;
  let node = root;
  const names: string[] = [];
  for (const segment of segmentsOf(path)) {
    names.push(segment.startsWith(':') ? segment.slice(1) : '');
    node = segment.startsWith(':') ? (node.variable ??= emptyNode()) : literalOf(node, segment);
  }
  if (node.leaves.has(method)) throw new Error(`two routes answer ${method} ${path}`);
  node.leaves.set(method, { entry, names });
}

function literalOf<Entry>(node: Node<Entry>, segment: string): Node<Entry> {
  const next = node.literals.get(segment) ?? emptyNode<Entry>();
  node.literals.set(segment, next);
  return next;
}

function walk<Entry>(
  node: Node<Entry>,
  segments: readonly string[],
  at: number,
  method: string,
): Leaf<Entry> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.leaves.get(method);
  const literal = node.literals.get(segment);
  const found = literal && walk(literal, segments, at + 1, method);
  if (found || literal?.isClosed || segment === '' || !node.variable) return found;
  return walk(node.variable, segments, at + 1, method);
}

function valuesOf<Entry>({ names }: Leaf<Entry>, segments: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (let at = 0; at < names.length; at++) {
    const name = names[at];
    if (name) values[name] = segments[at] ?? '';
  }
  return values;
}
