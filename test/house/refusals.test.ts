import { globSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { refusal } from '../../domain/refusals/refusal.ts';
import { sourcesOf } from './sources.ts';

const named = z.object({ status: z.number(), message: z.string() });

const refusals = (
  await Promise.all(
    globSync('domain/refusals/*.ts').map(async (path) => {
      const values: Record<string, unknown> = await import(`../../${path}`);
      return Object.entries(values).flatMap(([name, value]) => {
        const { data } = named.safeParse(
          typeof value === 'function' ? Object.fromEntries(Object.entries(value)) : value,
        );
        return data ? [{ path, name, ...data }] : [];
      });
    }),
  )
).flat();

const product = ['domain', 'db', 'books', 'providers', 'workflows', 'activities', 'worker', 'api'];

/** As it stands between quotes of any kind. */
const quoted = (message: string) =>
  ["'", '"', '`'].map((quote) => `${quote}${message.replaceAll(quote, `\\${quote}`).replaceAll('\n', '\\n')}${quote}`);

/** Where a code of its own is thrown or listed in a place that could name the refusal; a dictionary has it as a key. */
const placesOf = (message: string, sources: readonly { path: string; text: string }[]) =>
  sources.flatMap(({ path, text }) =>
    quoted(message).some((literal) =>
      text
        .split(literal)
        .slice(1)
        .some((after) => !after.startsWith(':')),
    )
      ? [path]
      : [],
  );

test('a named refusal is the only place of its sentence', () => {
  const sources = sourcesOf(...product)
    .filter(({ path }) => !path.startsWith('domain/refusals/'))
    .map(({ path, text }) => ({ path, text: text.replaceAll(/\/\*\*.*?\*\//gs, '') }));
  const twice = refusals.flatMap(({ path, name, message }) =>
    placesOf(message, sources).map((other) => `${other}: import ${name} of ${path} in place of the sentence`),
  );
  expect(twice).toEqual([]);
  expect(placesOf('It is away.', [{ path: 'api/x.ts', text: "throw unavailable('It is away.')" }])).toEqual([
    'api/x.ts',
  ]);
  expect(refusals.length).toBeGreaterThan(200);
});

test('no two refusals have one status and one sentence', () => {
  const lines = refusals.map(({ status, message }) => `${status} ${message}`);
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
});

test('a refusal carries its code and the values of its placeholders, and is known again', () => {
  const taken = refusal(409, 'Bay %1 is taken.', { code: 'bay_taken', when: 'Somebody stands there.' });
  expect(taken({ bay: 7 }).refusal).toEqual({
    ...{ status: 409, message: 'Bay %1 is taken.' },
    parameters: { outcome: 'bay_taken', bay: 7 },
  });
  expect([taken.is(taken()), taken.is(new Error(taken.message))]).toEqual([true, false]);
  expect(taken.because('It rains.', 'Wait.')).toEqual({
    ...{ status: 409, code: 'bay_taken', message: 'Bay %1 is taken.' },
    ...{ when: 'It rains.', then: 'Wait.' },
  });
});
