import { expect, test } from 'vitest';
import { createSecretBox } from '../../../db/support/secret-box.ts';

const keyOf = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const box = createSecretBox(keyOf(1));

test('what is sealed opens again, and looks different each time', () => {
  const sealed = [box.seal('a secret, ö 😀', 'place'), box.seal('a secret, ö 😀', 'place')];
  expect(sealed.map((text) => box.open(text, 'place'))).toEqual(['a secret, ö 😀', 'a secret, ö 😀']);
  expect(new Set(sealed).size).toBe(2);
  expect(sealed.join()).not.toContain('secret');
  expect(box.open(box.seal('', 'place'), 'place')).toBe('');
});

test('it opens only where it was sealed for, and only unchanged', () => {
  const sealed = box.seal('a secret', 'place');
  expect(() => box.open(sealed, 'another place')).toThrow();
  expect(() => box.open(`${sealed.slice(0, -4)}AAA=`, 'place')).toThrow();
  expect(() => box.open('no seal', 'place')).toThrow(/POS_SECRET_KEY/);
});

test('a former key still opens; an unknown key does not', () => {
  const sealed = box.seal('a secret', 'place');
  const rotated = createSecretBox(keyOf(2), [keyOf(1)]);

  expect(rotated.open(sealed, 'place')).toBe('a secret');
  expect(rotated.seal('a secret', 'place').split(':')[1]).not.toBe(sealed.split(':')[1]);
  expect(() => createSecretBox(keyOf(3)).open(sealed, 'place')).toThrow(/POS_SECRET_KEY/);
});

test('a key that is not 32 bytes is refused', () => {
  expect(() => createSecretBox('c2hvcnQ=').seal('x', 'place')).toThrow(/32 bytes/);
});

test('a digest is the same for the same text and place, and another under another key', () => {
  expect(box.digest('123456', 'place')).toBe(createSecretBox(keyOf(1)).digest('123456', 'place'));
  const others = [
    box.digest('123457', 'place'),
    box.digest('123456', 'elsewhere'),
    createSecretBox(keyOf(2)).digest('123456', 'place'),
  ];
  expect(new Set([box.digest('123456', 'place'), ...others]).size).toBe(4);
  expect(box.digest('', 'place')).toMatch(/^[0-9a-f]{64}$/);
});
