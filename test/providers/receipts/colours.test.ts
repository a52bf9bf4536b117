import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const style = readFileSync(new URL('../../../providers/receipts/templates/style.css', import.meta.url), 'utf8');

/** The colours of each mode, by name; the dark one and the printed one begin with those of the light one. */
function coloursOf(mode: 'light' | 'dark' | 'print'): Record<string, string> {
  const at = { light: 0, dark: style.indexOf('prefers-color-scheme: dark'), print: style.indexOf('@media print') }[
    mode
  ];
  const block = /:root \{([^}]*)\}/.exec(style.slice(at))?.[1] ?? '';
  const own = Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]+);/g)].map(([, name, hex]) => [name, hex]));
  return mode === 'light' ? own : { ...coloursOf('light'), ...own };
}

/** How bright a colour is, as WCAG 2.2 reckons it. */
function brightness(hex = ''): number {
  const long = hex.length === 4 ? hex.slice(1).replaceAll(/./g, '$&$&') : hex.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string | undefined, other: string | undefined): number {
  const [dark = 0, light = 0] = [brightness(one), brightness(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Texts and what they stand on. */
const texts = [
  ['ink', 'paper'],
  ['soft', 'paper'],
  ['ink', 'ground'],
  ['on-accent', 'accent'],
  ['good', 'good-ground'],
  ['bad', 'bad-ground'],
] as const;

test.each(['light', 'dark', 'print'] as const)('every text can be read in the mode %s (WCAG AA)', (mode) => {
  const colours = coloursOf(mode);
  const tooPale = texts.filter(([text, ground]) => contrast(colours[text], colours[ground]) < 4.5);
  expect(tooPale).toEqual([]);
});

test.each(['light', 'dark'] as const)(
  'the frame of a field and the bar of a layaway can be seen in the mode %s',
  (mode) => {
    const colours = coloursOf(mode);
    const frame = /border: 1px solid (#[0-9a-f]{6})/.exec(style)?.[1];
    for (const [shape, ground] of [
      [frame, colours['paper']],
      [colours['good'], colours['line']],
      [colours['accent'], colours['ground']],
    ])
      expect(contrast(shape, ground)).toBeGreaterThanOrEqual(3);
  },
);
