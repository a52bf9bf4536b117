import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

/**
 * Letters that a machine without fonts does not have. They come with the install, in pieces of some hundred letters. A
 * document gets the pieces of its own letters, and nothing else of its look changes.
 */

/** The family that style sheets name last, before the system's own. */
const family = 'Other Scripts';

/** Scripts that share no letters with another one. */
const others = ['arabic', 'hebrew', 'devanagari', 'tamil', 'thai'];
/** The same sign looks different in these languages. */
const eastern = ['sc', 'tc', 'jp', 'kr'] as const;
type Eastern = (typeof eastern)[number];

/** The others name more eastern letters than they have: of those, the next font is asked as well. */
const exact = ['noto-sans-jp', 'noto-sans-kr'];
const isEastern = (code: number) => (code >= 0x3040 && code <= 0xffff) || code >= 0x20000;

/** In bytes: a document with letters of everywhere is no receipt. */
const mostBytes = 6_000_000;

/** A document whose letters the machine has, or one that is hidden until the letters in it are ready. */
export interface LetteredDocument {
  html: string;
  isHidden: boolean;
}

/**
 * Writes the letters of a document into it, and hides its body. A browser keeps the blanks that it drew for letters
 * which were not ready, so the document is shown by `showLetters` afterwards.
 */
export function withLetters(html: string): LetteredDocument {
  const faces = facesFor(html);
  const head = html.indexOf('</head>');
  if (faces === '' || head < 0) return { html, isHidden: false };
  const style = `<style>${faces}html:not([data-letters]) body{display:none}</style>`;
  return { html: html.slice(0, head) + style + html.slice(head), isHidden: true };
}

/** Runs in the browser. A piece that cannot be read leaves its letters blank, and the rest is shown. */
const showLetters =
  'Promise.allSettled([...document.fonts].map((face) => face.load()))' +
  ".then(() => document.documentElement.setAttribute('data-letters', ''))";

function facesFor(html: string): string {
  const letters = new Set(Array.from(html, codeOf).filter(isRare));
  if (letters.size === 0) return '';
  let left = mostBytes;
  const faces: string[] = [];
  for (const name of inOrder(html)) {
    const font = fontOf(name);
    const found = [...letters].filter((letter) => font.has(letter));
    for (const piece of new Set(found.flatMap((letter) => font.get(letter) ?? []))) {
      const content = readFileSync(piece.file);
      if ((left -= content.length) >= 0) faces.push(faceOf(piece, content));
    }
    if (exact.includes(name)) for (const letter of found.filter(isEastern)) letters.delete(letter);
  }
  // Where two pieces have a letter, the browser takes the later one.
  return faces.reverse().join('');
}

const codeOf = (letter: string) => letter.codePointAt(0) ?? 0;

/** Every font has the rest: Latin, Greek, Cyrillic, their punctuation and signs. */
const isRare = (code: number) => code >= 0x0590 && !(code >= 0x1200 && code <= 0x218f);
const isEmoji = (code: number) => code >= 0x1f000 && code <= 0x1ffff;

/** What a font's package is asked for. Each names letters of others too, some of which it does not have. */
const isFor = (name: string, code: number) => {
  if (name === 'noto-emoji') return code > 0x11ff;
  if (others.some((one) => name.endsWith(one))) return code < 0x1100 || (code >= 0xfb1d && code <= 0xfeff);
  return code >= 0x1100 && !isEmoji(code);
};

/** The language's own letters first; of a document in another language, what its text tells. */
function inOrder(html: string): string[] {
  const first =
    easternOf(/<html lang="([\w-]*)"/.exec(html)?.[1] ?? '') ?? (/[\u3040-\u30ff]/.test(html) ? 'jp' : 'sc');
  const names = [first, ...eastern.filter((one) => one !== first), ...others].map((name) => `noto-sans-${name}`);
  return [...names, 'noto-emoji'];
}

function easternOf(language: string): Eastern | undefined {
  const [name, ...more] = language.toLowerCase().split('-');
  if (name === 'ja') return 'jp';
  if (name === 'ko') return 'kr';
  if (name !== 'zh') return undefined;
  return more.some((one) => ['hant', 'tw', 'hk', 'mo'].includes(one)) ? 'tc' : 'sc';
}

/** A file with some letters of a font. */
interface Piece {
  file: string;
  ranges: readonly (readonly [number, number])[];
}

const { resolve } = createRequire(import.meta.url);
/** The pieces of a font by the letters in them. */
type Font = ReadonlyMap<number, readonly Piece[]>;
const known = new Map<string, Font>();

/** What a font's package says of its pieces, read when a document first needs it. */
function fontOf(name: string): Font {
  const font = known.get(name) ?? readFont(name);
  known.set(name, font);
  return font;
}

function readFont(name: string): Font {
  const list = resolve(`@fontsource-variable/${name}/unicode.json`);
  const names = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>;
  const font = new Map<number, Piece[]>();
  for (const [word, text] of Object.entries(names)) {
    if (shared.includes(word)) continue;
    const file = join(dirname(list), 'files', `${name}-${word.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`);
    const ranges = text
      .split(',')
      .map(rangeOf)
      .filter(([from]) => isRare(from) && isFor(name, from));
    const piece = { file, ranges };
    for (const [from, to] of ranges)
      for (let code = from; code <= to; code++) font.set(code, [...(font.get(code) ?? []), piece]);
  }
  return font;
}

/** Pieces that every package has. */
const shared = ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek-ext', 'math', 'symbols'];

function rangeOf(text: string): [number, number] {
  const [from = 0, to = from] = text
    .trim()
    .slice('U+'.length)
    .split('-')
    .map((code) => Number.parseInt(code, 16));
  return [from, to];
}

const faceOf = ({ ranges }: Piece, font: Buffer) => {
  const held = ranges.map(([from, to]) => `U+${from.toString(16)}-${to.toString(16)}`);
  return (
    `@font-face{font-family:'${family}';font-weight:100 900;unicode-range:${held.join()};` +
    `src:url(data:font/woff2;base64,${font.toString('base64')}) format('woff2')}`
  );
};

const loadMs = 5_000;

/** Prints a document. */
export const printIn = (browser: Browser, html: string, paper: Paper): Promise<Buffer> =>
  shownIn(browser, html, (page) => page.pdf(optionsFor(paper)));

/**
 * Shows a document in a context of its own without scripts and network, with all letters that come with the install.
 */
export async function shownIn<Seen>(
  browser: Browser,
  html: string,
  look: (page: Page) => Promise<Seen>,
): Promise<Seen> {
  const { html: lettered, isHidden } = withLetters(html);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    offline: true,
    serviceWorkers: 'block',
    acceptDownloads: false,
    colorScheme: 'light',
  });
  try {
    await context.route('**/*', (route) => route.abort());
    const page = await context.newPage();
    await page.setContent(lettered, { waitUntil: 'load', timeout: loadMs });
    if (isHidden) await page.evaluate(showLetters);
    return await look(page);
  } finally {
    await context.close().catch(() => undefined);
  }
}

/** A tagged PDF, so that screen readers can read it. */
const optionsFor = (paper: Paper): Parameters<Page['pdf']>[0] => ({
  ...sizes[paper],
  printBackground: true,
  tagged: true,
});

const sheet = { margin: { top: '14mm', bottom: '14mm', left: '18mm', right: '18mm' } };
const sizes = {
  a4: { format: 'A4', ...sheet },
  letter: { format: 'Letter', ...sheet },
  roll: { width: '80mm', height: '297mm', margin: { top: '4mm', bottom: '4mm', left: '4mm', right: '4mm' } },
} as const;

/** Makes PDFs of documents that load nothing. */
export interface Printer {
  /**
   * Makes the printer ready for its next print. Null: it is ready. A sentence says why there is none, and what to
   * install. Throws where it was only too slow to get ready.
   */
  readonly missing: () => Promise<string | null>;
  /** Throws `TooMuch` for a document that takes too long or comes out too large. */
  print(html: string, paper: Paper): Promise<Buffer>;
  close(): Promise<void>;
}

export type Paper = 'a4' | 'letter' | 'roll';

/** A document beyond the limits: a retry would end the same way. */
export class TooMuch extends Error {}
