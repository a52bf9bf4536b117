import { expect, test } from '@jest/globals';
import { sourcesOf } from './sources.ts';

/** What a module would remember from one workflow to the next: the worker loads each module once for all of them. */
const kept =
  /^(?:export )?(?:let|var)\s.*|^(?:export )?const [^=\n]+= (?:new (?:Weak)?(?:Map|Set)\b|(?:\[\]|\{\});).*|^\s+static (?!readonly\b)\w+.*/gm;

const keptIn = (text: string) => [...text.matchAll(kept)].map(([line]) => line.trim());

test('no workflow finds what another one left behind', () => {
  expect(sourcesOf('workflows').flatMap(({ path, text }) => keptIn(text).map((line) => `${path}: ${line}`))).toEqual(
    [],
  );
});

test('what would be left behind is found however it is written', () => {
  const text = `
let count = 0;
export let last: string;
const seen = new Map<string, number>();
export const known: Set<number> = new Set();
const list = [];
class Counter {
  static total = 0;
  static readonly step = 1;
}
const verbs = ['settle', 'close'] as const;
const limits = { most: 5 };
function work() {
  let inside = 0;
  const own = new Map();
}
`;
  expect(keptIn(text)).toEqual([
    'let count = 0;',
    'export let last: string;',
    'const seen = new Map<string, number>();',
    'export const known: Set<number> = new Set();',
    'const list = [];',
    'static total = 0;',
  ]);
});
