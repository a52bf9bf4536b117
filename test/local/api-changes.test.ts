import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { openApiOf } from '../../api/http/openapi/document.ts';
import { route } from '../../api/http/route.ts';
import {
  bareDocument,
  changelogFile,
  changesOf,
  lined,
  missingIn,
  presentDocument,
  released,
} from '../../local/api-changes.ts';

test('every change of the interface since the release stands in its changelog: npm run tools -- api:changes', () => {
  const changes = changesOf(released(), bareDocument(presentDocument()));
  expect(missingIn(readFileSync(changelogFile, 'utf8'), changes)).toEqual([]);
});

test('the changelog of the interface has a day above each of its changes', () => {
  const [, ...days] = readFileSync(changelogFile, 'utf8').split(/^## /m);
  expect(days.length).toBeGreaterThan(0);
  expect(days.filter((day) => !/^20\d\d-\d\d-\d\d\n/.test(day))).toEqual([]);
});

test('the document of a release is kept without its texts, and is an API document still', () => {
  const document = released();
  expect(Object.keys(document)).toEqual(['openapi', 'info', 'paths', 'components']);
  expect(JSON.parse(lined(document))).toEqual(document);
  expect(JSON.stringify(document)).not.toContain('"description":"The');
});

describe('a register that was written for the release', () => {
  const line = z.object({ sku: z.string(), qty: z.number() });
  const tillRoute = ({ body, answer, query }: { body: z.ZodType; answer: z.ZodType; query?: z.ZodType }) =>
    route({
      method: 'POST',
      path: '/V1/tills',
      acl: 'anonymous',
      summary: 'Open a till',
      ...(query === undefined ? {} : { query }),
      body,
      response: answer,
      handle: async () => ({}),
    });
  const documentOf = (...routes: ReturnType<typeof tillRoute>[]) =>
    bareDocument(openApiOf(routes, { title: 'Tills', version: '1' }));

  const body = z.object({ name: z.string(), kind: z.enum(['till', 'kiosk']).optional(), lines: z.array(line) });
  const answer = z.object({ id: z.int(), name: z.string(), lines: z.array(line) });
  const query = z.object({ wait: z.int().optional() });
  const before = documentOf(tillRoute({ body, answer, query }));
  const saidOf = (later: { body?: z.ZodType; answer?: z.ZodType; query?: z.ZodType }) =>
    changesOf(before, documentOf(tillRoute({ body, answer, query, ...later }))).map(({ says }) =>
      says.replace('`POST /V1/tills` ', ''),
    );

  test.each([
    ['where a key is needed', { body: body.extend({ floor: z.int() }) }, ['needs `floor`.']],
    ['where a key is not taken', { body: body.omit({ name: true }) }, ['takes no `name` any more.']],
    [
      'where a value is not taken',
      { body: body.extend({ kind: z.enum(['till']).optional() }) },
      ['takes no `kiosk` for `kind` any more.'],
    ],
    [
      'where another type is wanted',
      { body: body.extend({ name: z.int() }) },
      ['takes no string for `name` any more.'],
    ],
    [
      'where a row needs more',
      { body: body.extend({ lines: z.array(line.extend({ price: z.number() })) }) },
      ['needs `lines[].price`.'],
    ],
    ['where a key is not answered', { answer: answer.omit({ id: true }) }, ['answers no `id` any more.']],
    [
      'where a key may be left out',
      { answer: answer.extend({ name: z.string().optional() }) },
      ['may leave `name` out.'],
    ],
    ['where null may come', { answer: answer.extend({ name: z.string().nullable() }) }, ['answers null for `name`.']],
    ['where a word of the query is gone', { query: z.object({}) }, ['takes no `wait` any more.']],
    ['where a word of the query is needed', { query: z.object({ wait: z.int() }) }, ['needs `wait`.']],
  ])('breaks %s', (_case, later, said) => {
    expect(saidOf(later)).toEqual(said);
  });

  test.each([
    ['another answer', { answer: answer.extend({ note: z.string().nullable() }) }],
    ['a key that may be left out', { body: body.extend({ note: z.string().optional() }) }],
    ['one value more', { body: body.extend({ kind: z.enum(['till', 'kiosk', 'tablet']).optional() }) }],
    ['an answer that is never null', { answer: answer.extend({ id: z.int() }) }],
  ])('goes on with %s', (_case, later) => {
    expect(saidOf(later)).toEqual([]);
  });

  test('is told of an operation that is gone, and of a new one', () => {
    const nothing = documentOf();
    expect(changesOf(before, nothing)).toEqual([{ isBreaking: true, says: '`POST /V1/tills` is gone.' }]);
    expect(changesOf(nothing, before)).toEqual([{ isBreaking: false, says: '`POST /V1/tills` is new.' }]);
    expect(missingIn('- `POST /V1/tills` is new.', changesOf(nothing, before))).toEqual([]);
  });
});
