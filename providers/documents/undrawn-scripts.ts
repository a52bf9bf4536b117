import type { Browser } from 'playwright-core';
import { shownIn } from './print-in.ts';

/** A letter of each script that a receipt of this install can show. */
const letters = {
  Latin: 'é',
  Greek: 'Ω',
  Cyrillic: 'Ж',
  Arabic: 'ع',
  Hebrew: 'ש',
  Chinese: '李',
  'traditional Chinese': '體',
  Japanese: 'ラ',
  Korean: '한',
  Thai: 'ผ',
  Hindi: 'क',
  Tamil: 'த',
  emoji: '🍕',
};

/** No font has a picture of this one: it shows what a browser draws for a letter that it lacks. */
const nobodys = '\u{10fffd}';
/** The width and height of a letter's place, in pixels. */
const side = 64;

/** Draws a letter of each script, and returns the scripts whose letter came out blank or as a box. */
export async function undrawnScripts(
  browser: Browser,
  wanted: Readonly<Record<string, string>> = letters,
): Promise<string[]> {
  const cells = [' ', nobodys, ...Object.values(wanted)];
  const clip = { x: 0, y: 0, width: side * cells.length, height: side };
  const picture = await shownIn(browser, documentOf(cells), async (page) => {
    await page.setViewportSize({ width: clip.width, height: clip.height });
    return page.screenshot({ clip });
  });
  const { default: sharp } = await import('sharp');
  const pixels = await sharp(picture).ensureAlpha().raw().toBuffer();
  const [blank, box, ...drawn] = cutUp(pixels, cells.length);
  return Object.keys(wanted).filter((_, at) => [blank, box].some((none) => none && drawn[at]?.equals(none)));
}

const documentOf = (cells: readonly string[]) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Letters</title><style>
body { margin: 0; font: 40px/${side}px 'Other Scripts', sans-serif }
i { position: absolute; top: 0; width: ${side}px; height: ${side}px; overflow: hidden; font-style: normal }
${cells.map((_, at) => `i:nth-child(${at + 1}) { left: ${at * side}px }`).join('\n')}
</style></head><body>${cells.map((cell) => `<i>${cell}</i>`).join('')}</body></html>`;

/** The pixels of each cell. */
const cutUp = (pixels: Buffer, count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) =>
    Buffer.concat(
      Array.from({ length: side }, (_row, y) => {
        const from = 4 * side * (y * count + at);
        return pixels.subarray(from, from + 4 * side);
      }),
    ),
  );
