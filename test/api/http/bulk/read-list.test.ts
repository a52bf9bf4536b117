import { expect, test } from '@jest/globals';
import { readList } from '../../../../api/http/bulk/async-routes.ts';
import { jsonInPieces } from '../../../../api/wire/json-stream.ts';
import { parseJson, readJson, readLongJson } from '../../../../api/wire/read-json.ts';

/** More than is parsed at once. */
const long = 'x'.repeat(70_000);
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each([
  ...['[]', ' [ ] \n', '[1]', '[null, "a,b", "\\"],[", {"a": [1, 2]}]', '[{"a": "\\\\"}, 2]'],
  ...[`["${long}", "${long}", {"a": [1, "]"]}]`, `[["${long}", 1], ["${long}", 2]]`, deep(32)],
])('a list is read as the whole text is: %.60s', async (text) => {
  expect(await readList(text)).toEqual(readJson(text));
});

test.each([
  ...['[', '[1', '[1,', '[1}', '[1]]', '[1] 2', '[1]\u00a0', '[,]', '[1,,2]', '[1 2]', '[{]', '[{"a":1]}', '["a'],
  ...[`["${long}",]`, `["${long}",,1]`, `["${long}", 1`, `["${long}"} 1]`, `["${long}", 1] ,`, deep(33), '["\\u0000"]'],
])('what is no JSON, or too deep, is refused: %.60s', async (text) => {
  expect(() => readJson(text)).toThrow(expect.objectContaining({ status: 400 }));
  await expect(readList(text)).rejects.toMatchObject({ status: 400, message: 'Decoding error.' });
});

test.each(['{}', '"["', '5', '', 'nonsense'])('%j is no list', async (text) => {
  expect(await readList(text)).toBeUndefined();
});

/** Texts with a long list somewhere: in a key, in a list, twice, beside keys of all sorts. */
const within = [
  `{"a": {"b": [1, "${long}", {"c": "]"}, "${long}"]}, "d": [2]}`,
  `[["${long}", "${long}"], ["${long}", "${long}", "${long}"], []]`,
  `{"a": ["${long}", "${long}"], "a": 1, "b": null}`,
  `{"__proto__": ["${long}", 1, "${long}"], "toString": "x"}`,
  `{"a": "${long}\\"[", "b": [[["${long}", ${'[['.repeat(8)}1${']]'.repeat(8)}, "${long}"]]]}`,
];

test.each(within)('a list anywhere in a long text is read as the whole text is: %.40s', async (text) => {
  expect(await readLongJson(text)).toEqual(readJson(text));
  expect(JSON.stringify(await readLongJson(text, { takesAnyJson: true }))).toBe(JSON.stringify(parseJson(text)));
});

test.each([
  `{["${long}", "${long}"]: 1}`,
  `{"a": ["${long}", "${long}"} ]`,
  `{"a": ["${long}", "${long}"]`,
  `{"a" ["${long}", "${long}"]}`,
  `{"a": ["${long}",, "${long}"]}`,
  `{"a": ["${long}", "\\ud800", "${long}"]}`,
  `{"a": ["${long}", ${deep(31)}, "${long}"]}`,
])('a long text with a fault is refused, wherever it is: %.20s', async (text) => {
  expect(() => readJson(text)).toThrow(expect.objectContaining({ status: 400 }));
  await expect(readLongJson(text)).rejects.toMatchObject({ status: 400, message: 'Decoding error.' });
});

test.each<[string, unknown]>([
  ['a list', Array.from({ length: 450 }, (_, at) => ({ at }))],
  [
    'a list within',
    { 'a b': 1, items: Array.from({ length: 401 }, () => undefined), none: undefined, last: { '"': [] } },
  ],
  ['a list deeper within', { a: { list: Array.from({ length: 201 }, () => 'ä') } }],
  ['a short one', { items: [1, 2], total: 2 }],
  ['none at all', null],
])('an answer is written in pieces as it is written whole: %s', async (_case, answer) => {
  expect((await jsonInPieces(answer)).join('')).toBe(JSON.stringify(answer));
});

/** How often others had their turn until the work was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isWorking = true;
  const others = async () => {
    while (isWorking) {
      await new Promise((turn) => setImmediate(turn));
      turns++;
    }
  };
  const waiting = others();
  await work();
  isWorking = false;
  await waiting;
  return turns;
}

test.each<[string, () => Promise<unknown>]>([
  ['a long list is read', () => readList(`[${Array.from({ length: 20 }, () => `"${long}"`).join()}]`)],
  [
    'a list within is read',
    () => readLongJson(`{"payload": {"events": [${Array.from({ length: 20 }, () => `"${long}"`).join()}]}}`),
  ],
  ['a long list is written', () => jsonInPieces({ items: Array.from({ length: 4_000 }, (_, at) => at) })],
])('other work gets its turn while %s', async (_case, work) => {
  expect(await turnsDuring(work)).toBeGreaterThanOrEqual(19);
});
