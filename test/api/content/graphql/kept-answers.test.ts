import { expect, test } from 'vitest';
import { createKeptAnswers } from '../../../../api/content/graphql/kept-answers.ts';

const answer = (text: string) => ({ type: 'application/json', body: Buffer.from(text), tag: `"${text}"` });

test('an answer is given again for its revision only', () => {
  const kept = createKeptAnswers();
  kept.keep('a', 1, answer('one'));
  expect(kept.find('a', 1)?.tag).toBe('"one"');
  expect(kept.find('b', 1)).toBeUndefined();
  expect(kept.find('a', 2)).toBeUndefined();
  expect(kept.find('a', 0)).toBeUndefined();
});

test('the first answer of a new revision empties the store; one of an old revision is not kept', () => {
  const kept = createKeptAnswers();
  kept.keep('a', 1, answer('old'));
  kept.keep('b', 2, answer('new'));
  kept.keep('a', 1, answer('late'));
  expect(kept.find('a', 1)).toBeUndefined();
  expect(kept.find('a', 2)).toBeUndefined();
  expect(kept.find('b', 2)?.tag).toBe('"new"');
});

test('what was not asked for the longest goes first, and one that is too large is never kept', () => {
  const kept = createKeptAnswers(300);
  for (const key of ['a', 'b']) kept.keep(key, 1, answer('x'.repeat(100)));
  expect(kept.find('a', 1)).toBeDefined();
  kept.keep('c', 1, answer('x'.repeat(100)));
  expect(['a', 'b', 'c'].map((key) => kept.find(key, 1) !== undefined)).toEqual([true, false, true]);
  kept.keep('a', 1, answer('y'));
  expect(kept.find('a', 1)?.tag).toBe('"y"');
  const roomy = createKeptAnswers();
  roomy.keep('huge', 1, answer('x'.repeat(3_000_000)));
  expect(roomy.find('huge', 1)).toBeUndefined();
});
