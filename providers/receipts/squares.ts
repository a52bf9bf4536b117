import { create } from 'qrcode';

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
    const { modules } =
      mask === 'best'
        ? create(text, { errorCorrectionLevel })
        : create([{ data: Buffer.from(text), mode: 'byte' }], { errorCorrectionLevel, maskPattern: quickMask });
    const rows = Array.from({ length: modules.size }, (_, row) => rowPath(modules, row));
    return { size: modules.size + 2 * quiet, path: rows.join('') };
  } catch {
    return undefined;
  }
}

/** Adjacent squares are one stroke, so that no fine lines show between them. Steps are relative: half as many letters. */
function rowPath({ size, data }: { size: number; data: Uint8Array }, row: number): string {
  let path = '';
  let pen = 0;
  for (let start = 0; start < size; start++) {
    if (!data[row * size + start]) continue;
    let end = start;
    while (end < size && data[row * size + end]) end++;
    path += path === '' ? `M${start + quiet} ${row + quiet}.5h${end - start}` : `m${start - pen} 0h${end - start}`;
    pen = end;
    start = end;
  }
  return path;
}
