import { expect, test } from '@jest/globals';
import { sourcesOf } from './sources.ts';

/**
 * V8 puts a function that is assigned to a property where it stands into its old space: only a full collection frees
 * it, with the whole request that it can reach. See `docs/inside/decisions/running.md`.
 */
const room = ['api', 'db', 'books', 'domain', 'providers'];

const assigned = /^\s*[\w.[\]#]*[\w\])]\.#?\w+ (?:\?\?|\|\|)?= (?:async )?(?:function\b|\([^()]*\) =>|\w+ =>)/gm;
const foundIn = (text: string) => text.match(assigned) ?? [];

test('no function that a request makes lives longer than the request', () => {
  const found = sourcesOf(...room).map(({ path, text }) => ({ path, functions: foundIn(text) }));
  expect(found.filter(({ functions }) => functions.length > 0)).toEqual([]);
});

test.each([
  ['an assigned arrow', '  asked.shownAs = () => path;\n', 1],
  ['an assigned function', '  query.callback = function (error) {\n', 1],
  ['a named function, assigned', '  const shownAs = () => path;\n  asked.shownAs = shownAs;\n', 0],
])('finds %s', (_name, text, count) => {
  expect(foundIn(text)).toHaveLength(count);
});
