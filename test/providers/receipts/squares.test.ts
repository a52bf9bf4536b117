import { expect, test } from 'vitest';
import { create } from 'qrcode';
import { squaresOf } from '../../../providers/receipts/squares.ts';

const quiet = 4;

/** The squares that the strokes of a path cover, without the quiet zone. */
function covered(path: string, size: number): boolean[] {
  const squares = Array.from({ length: size * size }, () => false);
  let [x, y] = [0, 0];
  for (const [, step, across = '', down = ''] of path.matchAll(/([Mmh])([\d.]+)(?: ([\d.]+))?/g)) {
    if (step === 'M') [x, y] = [Number(across), Math.floor(Number(down))];
    else {
      const end = x + Number(across);
      for (; x < end; x++) if (step === 'h') squares[(y - quiet) * size + x - quiet] = true;
    }
  }
  return squares;
}

test.each([
  ['best', 'V0;955002-00;Kassenbeleg-V1;Beleg^48.74_31.24_0.00_0.00_0.00^67.30:Unbar', {}],
  ['quick', `https://shop.example/receipt/${'a1b2'.repeat(16)}`, { maskPattern: 2 }],
  ['quick', 'https://café.example/Ünïcode/✓', { maskPattern: 2 }],
] as const)('the strokes of a code made in the %s way are its squares: %s', (mask, text, masked) => {
  const content = mask === 'best' ? text : [{ data: Buffer.from(text), mode: 'byte' as const }];
  const { modules } = create(content, { errorCorrectionLevel: 'M', ...masked });
  const drawn = squaresOf(text, mask);
  expect(drawn?.size).toBe(modules.size + 2 * quiet);
  expect(covered(drawn?.path ?? '', modules.size)).toEqual([...modules.data].map(Boolean));
});

test('a text that no code can hold is not drawn', () => {
  expect(squaresOf('x'.repeat(5_000), 'quick')).toBeUndefined();
});

test('the strokes of codes of every size are their squares', () => {
  const different: number[] = [];
  for (let length = 1; length <= 190; length += 9) {
    const text = Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * 37 + length * 11) % 90))).join('');
    const made = create([{ data: Buffer.from(text), mode: 'byte' }], { errorCorrectionLevel: 'M', maskPattern: 2 });
    const drawn = squaresOf(text, 'quick');
    const squares = covered(drawn?.path ?? '', made.modules.size);
    if (squares.some((isDark, at) => isDark !== Boolean(made.modules.data[at]))) different.push(length);
  }
  expect(different).toEqual([]);
});
