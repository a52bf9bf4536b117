import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';

const folder = fileURLToPath(new URL('../../providers/receipts/pictures/', import.meta.url));
/** `UPDATE_PICTURES=1` makes the present pictures the expected ones; look at them before you commit. */
export const isUpdating = process.env['UPDATE_PICTURES'] === '1';

/** Steps from black to white: few, so that files are small and small differences of browsers do not count. */
const greys = 16;
/** A difference of this size is a different pixel. */
const far = 48;
/** The allowed part of different pixels; a line of text that moves by one pixel is more. */
const mostOthers = 0.002;

const docsFolder = fileURLToPath(new URL('../../../docs/receipts/', import.meta.url));
/** What the documentation shows, in colour. */
const shownInDocs: Readonly<Record<string, string>> = {
  'sale-phone': 'sale',
  'sale-dark': 'dark',
  'refund-phone': 'refund',
  'deposit-phone': 'layaway',
  'shipped-phone': 'shipped',
  'sale-fiscal-roll': 'roll',
};

/** Renews the picture in the documentation, together with the expected one. */
export function keepForDocs(name: string, picture: Buffer): void {
  const shown = shownInDocs[name];
  if (isUpdating && shown !== undefined) writeFileSync(join(docsFolder, `${shown}.png`), picture);
}

/** Kept in grey, because a receipt has no colours. */
export function inGrey({ width, height, data }: PNG): PNG {
  const grey = new PNG({ width, height });
  const step = 255 / (greys - 1);
  for (let at = 0; at < data.length; at += 4) {
    const light = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
    const level = Math.round(Math.round(light / step) * step);
    grey.data[at] = grey.data[at + 1] = grey.data[at + 2] = level;
    grey.data[at + 3] = 255;
  }
  return grey;
}

/** How a picture differs from the one kept under its name; undefined: practically equal. */
export function differenceFrom(name: string, seen: PNG): string | undefined {
  const file = join(folder, `${name}.png`);
  const now = inGrey(seen);
  if (isUpdating) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, PNG.sync.write(now, { colorType: 0, deflateLevel: 9 }));
  }
  const kept = PNG.sync.read(readFileSync(file));
  if (kept.width !== now.width || kept.height !== now.height)
    return `${now.width} × ${now.height} pixels in place of ${kept.width} × ${kept.height}`;
  let others = 0;
  for (let at = 0; at < now.data.length; at += 4) {
    if (Math.abs((now.data[at] ?? 0) - (kept.data[at] ?? 0)) > far) others++;
  }
  const share = others / (now.width * now.height);
  return share <= mostOthers ? undefined : `${others} pixels are others (${(share * 100).toFixed(2)} %)`;
}

/** The text that is kept under a name. */
export function keptText(name: string, seen: string): string {
  const file = join(folder, `${name}.txt`);
  if (isUpdating) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, seen);
  }
  return readFileSync(file, 'utf8');
}
