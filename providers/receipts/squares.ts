import { create, type QRCode } from 'qrcode';

/** A QR code's dark squares as strokes of one path, in units of a square, with its quiet zone. */
export interface DrawnCode {
  size: number;
  path: string;
}

/** The width of the quiet zone. */
const quiet = 4;
/** Codes are kept, because the same address is drawn at each view of a receipt. */
const mostKept = 1_000;
const kept = new Map<string, DrawnCode>();

/**
 * How a code is made. The standard's way looks for the shortest mix of alphabets, tries all eight masks, and takes the
 * one that scanners read best: that is most of the work. The quick way writes bytes and takes the third mask. Of
 * addresses with 64 hexadecimal characters it is the best one in three of four, and never much worse; the size of a
 * random one is the same.
 */
export type Mask = 'best' | 'quick';
const quickMask = 2;
const errorCorrectionLevel = 'M';

/** Draws a text as a QR code; medium correction, as a till's paper gets creased. Undefined where it does not fit in. */
export function squaresOf(text: string, mask: Mask): DrawnCode | undefined {
  const known = kept.get(text);
  if (known) return known;
  const drawn = draw(text, mask);
  if (drawn === undefined) return undefined;
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(text, drawn);
  return drawn;
}

function draw(text: string, mask: Mask): DrawnCode | undefined {
  try {
    const { modules } = mask === 'best' ? bestCode(text) : quickCode(text);
    let path = '';
    for (let row = 0; row < modules.size; row++) path += rowPath(modules, row);
    return { size: modules.size + 2 * quiet, path };
  } catch {
    return undefined;
  }
}

const bestCode = (text: string) => create(text, { errorCorrectionLevel });

const quickCode = (text: string) =>
  create([{ data: Buffer.from(text), mode: 'byte' }], { errorCorrectionLevel, maskPattern: quickMask });

/** Adjacent squares are one stroke, so that no fine lines show between them. Steps are relative: half as many letters. */
function rowPath({ size, data }: QRCode['modules'], row: number): string {
  const first = row * size;
  let path = '';
  let pen = 0;
  for (let start = 0; start < size; start++) {
    if (!data[first + start]) continue;
    let end = start + 1;
    while (end < size && data[first + end]) end++;
    path += path === '' ? `M${start + quiet} ${row + quiet}.5h${end - start}` : stroke(start - pen, end - start);
    pen = end;
    start = end;
  }
  return path;
}

/** A code has hundreds of strokes and few different ones: looking one up is quicker than writing it. */
const strokes: string[] = [];
const mostKnown = 64;

function stroke(step: number, length: number): string {
  if (step >= mostKnown || length >= mostKnown) return `m${step} 0h${length}`;
  return (strokes[step * mostKnown + length] ??= `m${step} 0h${length}`);
}
