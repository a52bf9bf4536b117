import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../domain/canonical-json.ts';

/** How the text was made when the first digests were stored. */
const before = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    const inOrder: Record<string, unknown> = Object.create(null);
    for (const key of Object.keys(inner).toSorted()) inOrder[key] = Reflect.get(inner, key);
    return inOrder;
  }) ?? 'null';

function isAsBefore(value: unknown): void {
  expect(canonicalJson(value)).toBe(before(value));
}

test('content gives the text whose digest the shop has stored', () => {
  const anything = fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true });
  fc.assert(fc.property(anything, isAsBefore));
  fc.assert(fc.property(fc.array(fc.dictionary(fc.string(), anything)), isAsBefore));
});

test.each([
  [undefined],
  [[undefined, () => 1, Number.NaN, -0, -Infinity, 1e21, 1e-7]],
  [{ b: undefined, a: 1, ' ': '\u2028 "\\ \u0001 \uD800', é: 'é' }],
  [{ '10': 'j', '9': 'i', b: 'b', a: 'a', '01': 1, '4294967294': 2, '4294967295': 3, '-1': 4 }],
  [JSON.parse('{"__proto__":{"a":1},"a":[{"b":1,"a":2},{"b":1,"a":2},{"a":2,"b":1},{"toJSON":1}]}')],
  [[new Date(0), { toJSON: (key: string) => ({ z: key, a: 1 }) }, [], {}, [{}], [[]]]],
])('the text of %j is as before', (value) => isAsBefore(value));

test('the order of keys does not count, and that of a list does', () => {
  expect(canonicalJson({ a: 1, b: [{ d: 2, c: 3 }] })).toBe(canonicalJson({ b: [{ c: 3, d: 2 }], a: 1 }));
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});
