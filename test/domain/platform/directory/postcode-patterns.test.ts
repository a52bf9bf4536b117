import { expect, test } from '@jest/globals';
import { findCountry, postcodePatterns } from '../../../../domain/platform/directory.ts';

const rows = Object.entries(postcodePatterns).flatMap(([country, patterns]) =>
  patterns.map(({ pattern, example }) => ({ country, pattern, example })),
);
const isGood = (country: string, postcode: string) =>
  (postcodePatterns[country] ?? []).some(({ pattern }) => new RegExp(pattern).test(postcode));

test('every pattern takes its own example, as a whole', () => {
  for (const { country, pattern, example } of rows) {
    expect({ country, example, matches: new RegExp(pattern).test(example) }).toEqual({
      country,
      example,
      matches: true,
    });
    expect({ country, isWhole: pattern.startsWith('^') && pattern.endsWith('$') }).toEqual({ country, isWhole: true });
    expect({ country, example, matches: new RegExp(pattern).test(`${example}0 !`) }).toMatchObject({ matches: false });
  }
});

test('every country is one of the directory’s, and most of the world is there', () => {
  expect(Object.keys(postcodePatterns).filter((country) => !findCountry(country))).toEqual([]);
  expect(Object.keys(postcodePatterns).length).toBeGreaterThanOrEqual(180);
});

test.each(['AE', 'AO', 'AQ', 'BS', 'FJ', 'GH', 'HK', 'JM', 'MO', 'QA', 'YE', 'ZW'])('%s has no rule', (country) => {
  expect(findCountry(country)).toBeDefined();
  expect(postcodePatterns[country]).toBeUndefined();
});

test('no country has a pattern twice', () => {
  const written = rows.map(({ country, pattern }) => `${country} ${pattern}`);
  expect(new Set(written).size).toBe(written.length);
});

test.each([
  ['US', '12345', true],
  ['US', '12345-6789', true],
  ['US', '1234', false],
  ['CA', 'K1A 0B1', true],
  ['CA', 'D1A 0B1', false],
  ['GB', 'M1 1AE', true],
  ['GB', 'EC1A 1BB', true],
  ['GB', '12345', false],
  ['DE', '10115', true],
  ['DE', '1011', false],
  ['NL', '1011 AB', true],
  ['NL', '1011AB', true],
  ['AZ', 'AZ1000', true],
  ['AZ', 'BZ1000', false],
  ['SM', '47891', true],
  ['SM', '57891', false],
  ['CV', '7600', true],
  ['CV', '76000', false],
  ['LB', '1107', true],
  ['LB', '2038 3054', true],
  ['LB', '2038 305', false],
  ['BH', '1216', true],
  ['BH', '1316', false],
  ['VG', 'VG1110', true],
  ['VG', '1110', false],
  ['MU', '742CU001', true],
  ['PA', '0801', true],
  ['TZ', '34413', true],
])('%s %s is good: %s', (country, postcode, expected) => {
  expect(isGood(country, postcode)).toBe(expected);
});
