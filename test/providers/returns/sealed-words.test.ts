import { expect, test } from 'vitest';
import { createSecretBox } from '../../../db/support/secret-box.ts';
import { openWords, sealWords } from '../../../providers/returns/sealed-words.ts';
import { testSecrets } from '../../support/fakes.ts';

const words = { comment: 'She says “too big” — für Lea', goods: [{ reason: 'Größe', condition: null }] };

test('what people wrote cannot be read on its way, and is the same at its end', () => {
  const sealed = sealWords(testSecrets, words);
  expect(sealed).not.toMatch(/too big|für Lea|Größe/);
  expect(openWords(testSecrets, sealed)).toEqual(words);
});

test('the same words are sealed differently each time: nobody can compare them', () => {
  expect(sealWords(testSecrets, words)).not.toBe(sealWords(testSecrets, words));
});

test.each([
  ['nothing', {}],
  ['an empty comment', { comment: '' }],
  ['no comment', { comment: null }],
  ['lines without words', { goods: [{ reason: null, condition: null }] }],
])('where people wrote %s nothing is sent', (_what, said) => {
  const sealed = sealWords(testSecrets, said);
  expect(sealed).toBeNull();
  expect(openWords(testSecrets, sealed)).toEqual({});
});

test.each([{ goods: [{ reason: 'Size', condition: null }] }, { goods: [{ reason: null, condition: 'Damaged' }] }])(
  'one word of one line is something: %j',
  (said) => {
    expect(openWords(testSecrets, sealWords(testSecrets, said))).toEqual(said);
  },
);

test('a worker with another key does not open them, and says so', () => {
  const other = createSecretBox(Buffer.alloc(32, 8).toString('base64'));
  expect(() => openWords(other, sealWords(testSecrets, words))).toThrow();
});

test('sealed words of something else are not taken for them', () => {
  expect(() => openWords(testSecrets, testSecrets.seal(JSON.stringify(words), 'something else'))).toThrow();
});
