import { expect, test } from '@jest/globals';
import { withLetters } from '../../../providers/documents/print-in.ts';

const documentOf = (text: string, language = 'en') =>
  `<!doctype html><html lang="${language}"><head><title>t</title></head><body>${text}</body></html>`;
const facesIn = (html: string) => html.match(/@font-face/g)?.length ?? 0;
/** Which letters are to be looked up in the later, and so the preferred, pieces. */
const lastFace = (html: string) => html.slice(html.lastIndexOf('@font-face')).slice(0, 120);

test('a document in letters that every machine has is left as it is', () => {
  const latin = documentOf('Grüße, Ελλάδα, Привет – 12,50 € ™ “so”');
  const { html, isHidden } = withLetters(latin);
  expect([html === latin, isHidden]).toEqual([true, false]);
});

test('a document gets the pieces of its letters, and is hidden until they are ready', () => {
  const { html, isHidden } = withLetters(documentOf('ผัดไทย'));

  expect(isHidden).toBe(true);
  expect(facesIn(html)).toBe(1);
  expect(html.includes('html:not([data-letters]) body{display:none}')).toBe(true);
});

test('a sign that looks different elsewhere is drawn as the language of the document draws it', () => {
  const first = ['ja', 'zh-Hans', 'zh-Hant-TW', 'ko', 'en'].map((language) =>
    lastFace(withLetters(documentOf('骨直', language)).html),
  );
  // An English document follows its text: with kana it is Japanese.
  const mixed = lastFace(withLetters(documentOf('骨直ラテ')).html);

  expect(new Set(first.slice(0, 4)).size).toBe(4);
  expect(first[4]).toBe(first[1]);
  expect(mixed).not.toBe(first[1]);
});

test('a document with letters of everywhere stays within its limit', () => {
  const everything = Array.from({ length: 0x9fff - 0x4e00 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
  expect(withLetters(documentOf(everything)).html.length).toBeLessThan(9_000_000);
});
