/** What a pattern is made of, as far as hostile texts are made from it. */
export type Part =
  | { is: 'set'; source: string }
  | { is: 'nothing' }
  | { is: 'again'; group: number }
  | { is: 'group'; branches: Part[][]; isLook: boolean }
  | { is: 'repeat'; of: Part; least: number; most: number };

export interface PatternTree {
  parts: Part[];
  /** Capturing groups, by number less one. */
  groups: Part[];
}

interface Reader {
  source: string;
  at: number;
  groups: Part[];
}

const atom = /^(?:\[(?:\\[^]|[^\]\\])*\]|\\(?:p|P)\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[^]|[^])/i;
const quantifier = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/;

/** Reads the source of a pattern; anchors are nothing, what looks around is a group. */
export function treeOf(source: string): PatternTree {
  const reader: Reader = { source, at: 0, groups: [] };
  const branches = readBranches(reader);
  return { parts: [{ is: 'group', branches, isLook: false }], groups: reader.groups };
}

function readBranches(reader: Reader): Part[][] {
  const branches: Part[][] = [[]];
  while (reader.at < reader.source.length && reader.source.charAt(reader.at) !== ')') {
    if (reader.source.charAt(reader.at) === '|') {
      reader.at++;
      branches.push([]);
    } else branches.at(-1)?.push(readRepeated(reader));
  }
  reader.at++;
  return branches;
}

function readRepeated(reader: Reader): Part {
  const of = readPart(reader);
  const found = quantifier.exec(reader.source.slice(reader.at));
  if (!found) return of;
  reader.at += found[0].length;
  const [, sign, least, comma, most] = found;
  if (sign !== undefined) return { is: 'repeat', of, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
  return {
    is: 'repeat',
    of,
    least: Number(least),
    most: comma === '' ? Number(least) : most ? Number(most) : Infinity,
  };
}

function readPart(reader: Reader): Part {
  const rest = reader.source.slice(reader.at);
  if (rest.startsWith('(')) return readGroup(reader, rest);
  const [source = ''] = atom.exec(rest) ?? [];
  reader.at += source.length;
  if (source === '^' || source === '$' || source === '\\b' || source === '\\B') return { is: 'nothing' };
  return /^\\[1-9]$/.test(source) ? { is: 'again', group: Number(source.slice(1)) } : { is: 'set', source };
}

function readGroup(reader: Reader, rest: string): Part {
  const [opening = '('] = /^\((?:\?(?::|<?[=!]|<\w+>))?/.exec(rest) ?? [];
  reader.at += opening.length;
  const group: Part = { is: 'group', branches: [], isLook: /[=!]$/.test(opening) };
  if (opening === '(' || opening.endsWith('>')) reader.groups.push(group);
  group.branches = readBranches(reader);
  return group;
}
