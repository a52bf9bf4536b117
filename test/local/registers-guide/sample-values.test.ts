import { expect, test } from 'vitest';
import { differencesOf, fillBody, fillText } from './sample-values.ts';

const values = () => new Map<string, unknown>([['ORDER', 17]]);

test('a value is kept at its first sight and compared from then on', () => {
  const kept = values();
  expect(differencesOf('{ "id": $RETURN, "order_id": $ORDER }', { id: 3, order_id: 17 }, kept)).toEqual([]);
  expect(kept.get('RETURN')).toBe(3);
  expect(differencesOf('{ "id": $RETURN }', { id: 4 }, kept)).toEqual(['.id: shown 3, answered 4']);
});

test('a name becomes JSON in a body, and characters within a text', () => {
  expect(fillBody('{ "orderId": $ORDER, "items": "[{\\"id\\":$ORDER}]" }', values())).toBe(
    '{ "orderId": 17, "items": "[{\\"id\\":17}]" }',
  );
  expect(fillText('/V1/orders/$ORDER', values())).toBe('/V1/orders/17');
  expect(() => fillText('/V1/orders/$NOTHING', values())).toThrow('no sample before has told $NOTHING');
});

test.each([
  ['{ "a": 1 }', { a: 2 }, '.a: shown 1, answered 2'],
  ['{ "a": 1 }', { a: '1' }, '.a: shown 1, answered "1"'],
  ['{ "a": 1 }', { a: 1, b: 2 }, '.b: is not shown'],
  ['{ "a": 1, … }', {}, '.a: shown 1'],
  ['{ "a": [1] }', { a: [1, 2] }, '.a: 2 rows, not 1'],
  ['{}', [], 'the answer: shown {}, answered []'],
  ['"by … at noon"', 'by Ada at one', 'the answer: shown "by … at noon", answered "by Ada at one"'],
])('what is shown as %s is not %j', (shown, actual, difference) => {
  expect(differencesOf(shown, actual, values())).toEqual([expect.stringContaining(difference)]);
});

test.each([
  ['{ "a": …, "b": [{ "c": 1 }, …], … }', { a: null, b: [{ c: 1 }, { c: 2 }], d: 4 }],
  ['…', 12],
  ['{ "a": "by … at …" }', { a: 'by Ada at noon' }],
])('what is shown as %s is also %j', (shown, actual) => {
  expect(differencesOf(shown, actual, values())).toEqual([]);
});
