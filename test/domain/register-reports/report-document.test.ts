import { describe, expect, test } from '@jest/globals';
import { canonicalJson, jcsOf } from '../../../domain/canonical-json.ts';
import { hasUnsafeNumber } from '../../../domain/register-reports/report-document.ts';

describe('canonical JSON as of RFC 8785', () => {
  test('writes the example of its section 3.2.2', () => {
    const input = String.raw`{ "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false] }`;
    expect(jcsOf(JSON.parse(input))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test('sorts keys by UTF-16 code units, as in its section 3.2.3', () => {
    const input = String.raw`{ "\u20ac": 5, "\r": 1, "\ufb33": 7, "1": 2, "\ud83d\ude00": 6, "\u0080": 3, "\u00f6": 4 }`;
    expect(Object.values(JSON.parse(input)).length).toBe(7);
    expect(
      jcsOf(JSON.parse(input))
        .replaceAll(/[^:]\d/g, '')
        .match(/:\d/g),
    ).toEqual([1, 2, 3, 4, 5, 6, 7].map((at) => `:${at}`));
  });

  test.each([
    ['keys that are numbers as texts', '{"9":1,"10":2,"a":{"2":1,"11":2}}', '{"10":2,"9":1,"a":{"11":2,"2":1}}'],
    ['minus zero as zero', '[-0, 0, -0.0, 1.0, 1e0]', '[0,0,0,1,1]'],
    ['the bounds of plain numbers', '[1e20, 1e21, 1e-6, 1e-7]', '[100000000000000000000,1e+21,0.000001,1e-7]'],
    ['a key that is a prototype', '{"b":1,"__proto__":{"y":1,"x":2}}', '{"__proto__":{"x":2,"y":1},"b":1}'],
    ['escapes', String.raw`["\b\t\n\f\r\u0001\u007f\u2028/\u00e9"]`, '["\\b\\t\\n\\f\\r\\u0001\u007f\u2028/é"]'],
    ['empty values', '[{}, [], "", null]', '[{},[],"",null]'],
  ])('writes %s', (_name, input, output) => {
    expect(jcsOf(JSON.parse(input))).toBe(output);
    // What was written is its own canonical form.
    expect(jcsOf(JSON.parse(output))).toBe(output);
  });

  test('differs from the older form only in keys that are whole numbers', () => {
    const value = { b: [1, 'x', { d: null, c: 0.1 }], a: { y: true, x: 'é"' } };
    expect(jcsOf(value)).toBe(canonicalJson(value));
    expect(canonicalJson({ 10: 1, 9: 2 })).toBe('{"9":2,"10":1}');
  });

  test('has no infinite number', () => {
    expect(() => jcsOf({ a: Infinity })).toThrow(RangeError);
  });
});

describe('a whole number that would be stored as another one', () => {
  test.each([
    ['{"a":[{"b":9007199254740993}]}', true],
    ['[12345678901234567890]', true],
    ['{"a":9007199254740991,"b":-9007199254740991,"c":0.1,"d":null,"e":"12345678901234567890","f":[]}', false],
  ])('is found at any depth: %s', (text, isUnsafe) => {
    expect(hasUnsafeNumber(JSON.parse(text))).toBe(isUnsafe);
  });
});
