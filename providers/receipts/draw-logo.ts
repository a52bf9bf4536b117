import { createHash } from 'node:crypto';
import { invalid } from '../../domain/errors.ts';
import { drawPng, isPng, pngSize } from '../platform/pictures/draw-png.ts';

/** A logo as it is kept: our own PNG, named after its bytes. */
export interface DrawnLogo {
  digest: string;
  content: Buffer;
  width: number;
  height: number;
}

/** More is a photograph. */
const mostBytes = 500_000;
/** Twice what a receipt shows, each way. */
const mostPixels = 1_200;

/**
 * Draws an uploaded logo anew: what is kept are its pixels, and nothing else that the file had in it.
 *
 * Refused with: 400 for what is no PNG, larger than 500 kB, or of more than 1200 pixels each way.
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
