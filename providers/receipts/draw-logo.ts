import { createHash } from 'node:crypto';
import { invalid } from '../../domain/errors.ts';
import { drawPng, isPng, pngSize } from '../platform/pictures/draw-png.ts';

/** A stored logo: our own PNG, named after its bytes. */
export interface DrawnLogo {
  digest: string;
  content: Buffer;
  width: number;
  height: number;
}

/** A larger file is a photograph. */
const mostBytes = 500_000;
/** Twice the size that a receipt shows, in both directions. */
const mostPixels = 1_200;

/**
 * Draws an uploaded logo again: only its pixels are kept, no other content of the file.
 *
 * Refused with: 400 a file that is not a PNG, is larger than 500 kB, or has more than 1200 pixels in width or height.
 */
export function drawLogo(file: Buffer): DrawnLogo {
  if (file.length > mostBytes) throw invalid('A logo has at most %1 kB.', [mostBytes / 1_000]);
  if (!isPng(file)) throw notPng();
  const { width, height } = pngSize(file);
  if (width < 1 || height < 1 || width > mostPixels || height > mostPixels)
    throw invalid('A logo has at most %1 pixels each way.', [mostPixels]);
  const content = drawPng(file, notPng);
  return { digest: createHash('sha256').update(content).digest('hex'), content, width, height };
}

const notPng = () => invalid('A logo is a PNG.');
