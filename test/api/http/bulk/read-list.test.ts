import { expect, test } from '@jest/globals';
import { readList } from '../../../../api/http/bulk/async-routes.ts';
import { readJson } from '../../../../api/wire/read-json.ts';

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

test('other work gets its turn while a long list is read', async () => {
  let turns = 0;
  let isReading = true;
  const others = async () => {
    while (isReading) {
      await new Promise((turn) => setImmediate(turn));
      turns++;
    }
  };
  const waiting = others();
  const list = await readList(`[${Array.from({ length: 20 }, () => `"${long}"`).join()}]`);
  isReading = false;
  await waiting;
  expect(list).toHaveLength(20);
  expect(turns).toBeGreaterThanOrEqual(19);
});
