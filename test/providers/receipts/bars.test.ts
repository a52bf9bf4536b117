import { describe, expect, test } from '@jest/globals';
import { create } from 'qrcode';
import { barsOf } from '../../../providers/receipts/printed-receipt.ts';
import { templateProblem } from '../../../providers/receipts/check-template.ts';
import { squaresOf } from '../../../providers/receipts/receipt-writer.ts';

describe('bars', () => {
  /** Widths of the bars and gaps, as a scanner measures them: without the quiet zones. */
  function widthsOf(path: string): string {
    const bars = [...path.matchAll(/M(\d+) 0h(\d+)v40h-\2z/g)].map(
      ([, at, width]) => [Number(at), Number(width)] as const,
    );
    return bars
      .map(([at, width], place) => {
        const next = bars[place + 1];
        return next ? `${width}${next[0] - at - width}` : `${width}`;
      })
      .join('');
  }

  /** Code 128, set B: the published widths of some signs, from ISO/IEC 15417. */
  const published: Readonly<Record<string, string>> = {
    ' ': '212222',
    '-': '122132',
    '0': '123122',
    '1': '123221',
    '9': '321122',
    A: '111323',
    z: '214121',
    '~': '131141',
  };
  const start = '211214';
  const stop = '2331112';

  test.each(Object.entries(published))('the sign %j has the bars that every scanner knows', (sign, widths) => {
    const read = widthsOf(barsOf(sign)?.path ?? '');
    expect([read.slice(0, 6), read.slice(6, 12), read.slice(-7)]).toEqual([start, widths, stop]);
    expect(read).toHaveLength(6 + 6 + 6 + 7);
  });

  test('the check sign is that of the standard: the weighted sum, by 103', () => {
    const read = widthsOf(barsOf('000000042')?.path ?? '');
    const sum = '000000042'.split('').reduce((all, sign, at) => all + (sign.charCodeAt(0) - 32) * (at + 1), 104) % 103;
    const alone = widthsOf(barsOf(String.fromCharCode(32 + sum))?.path ?? '').slice(6, 12);
    expect(read.slice(-13, -7)).toBe(alone);
  });

  test('the whole code keeps ten units free at both ends', () => {
    const bars = barsOf('000000042');
    expect(bars?.path.startsWith('M10 0')).toBe(true);
    expect(bars?.width).toBe(10 + 11 * 11 + 13 + 10);
  });

  test.each(['', 'ü', 'a\nb', 'x'.repeat(25)])('%j is not drawn: no scanner could read it', (text) => {
    expect(barsOf(text)).toBeUndefined();
  });
});

describe('check template', () => {
  test.each([
    '',
    '<p>{{title}} {{shop.name}}</p>{{> sums}}',
    '{{#each items}}<p>{{name}}{{#each options}} {{label}}{{/each}}</p>{{/each}}{{> items}}{{> payments}}{{> ' +
      'codes}}{{> shop-info}}',
    '{{#if layaway}}{{> layaway}}{{layaway.title}}{{/if}}{{#if fiscal}}{{> fiscal}}{{/if}}',
    '{{#if total}}{{total.value}}{{/if}}',
  ])('%j may write every receipt', (template) => {
    expect(templateProblem(template)).toBeUndefined();
  });

  test.each([
    ['{{#if title}', /cannot be read/],
    ['{{{title}}}', /not escaped/],
    ['{{lookup shop "name"}}', /calls a helper/],
    ['<script>x</script>', /tag <script>/],
    ['<p>{{nothing}}</p>', /names "nothing", which not every receipt has/],
    ['{{#each items}}{{nothing}}{{/each}}', /names "nothing"/],
    ['{{layaway.title}}', /names "title", which not every receipt has; where some have it, ask \{\{#if\}\} first/],
    ['{{#if layaway}}{{layaway.nothing}}{{/if}}', /names "nothing"/],
    ['{{#if shop.logo}}{{shop.logo.nothing}}{{/if}}', /names "nothing"/],
    ['{{#if isClaimed}}{{nothing}}{{/if}}', /names "nothing"/],
    ['{{#if moreItems}}{{nothing}}{{/if}}', /names "nothing"/],
    ['{{#if isRefund}}{{layaway.title}}{{/if}}', /names "title"/],
    ['{{#if shop.vat}}{{nothing}}{{/if}}', /names "nothing"/],
    ['{{#each shop.header}}{{nothing}}{{/each}}', /cannot be written by it .*nothing/],
    ['{{#each shop.footer}}{{nothing}}{{/each}}', /cannot be written by it .*nothing/],
    ['{{#unless shop.isInfoAbove}}{{nothing}}{{/unless}}', /names "nothing"/],
    ['{{> layaway}}', /which not every receipt has/],
  ])('%j cannot, and it is said why', (template, why) => {
    expect(templateProblem(template)).toMatch(why);
  });
});

describe('squares', () => {
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
});
