import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { mutants } from './mutants.ts';

/** `node test/mutants/main.ts` runs them; here they are only kept from rotting. */

const timesIn = (file: string, text: string) =>
  existsSync(file) ? readFileSync(file, 'utf8').split(text).length - 1 : 0;

test('each mistake still fits the source: its text is there, once', () => {
  const rotten = mutants.flatMap(({ id, patches = [] }) =>
    patches
      .map(({ file, find }) => ({ id, file, find, times: timesIn(file, find) }))
      .filter(({ times }) => times !== 1),
  );
  expect(rotten).toEqual([]);
});

test('each mistake changes something, and names tests that are there', () => {
  expect(
    mutants.filter(
      ({ patches = [], sql }) => sql === undefined && !patches.some(({ find, replace }) => find !== replace),
    ),
  ).toEqual([]);
  expect(
    mutants.flatMap(({ id, killedBy }) =>
      killedBy.length > 0 && killedBy.every((file) => existsSync(file)) ? [] : [{ id, killedBy }],
    ),
  ).toEqual([]);
});

test('each has an id of its own', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
});
