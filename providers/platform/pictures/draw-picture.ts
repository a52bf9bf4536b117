import { createHash } from 'node:crypto';
import { invalid } from '../../../domain/errors.ts';
import { isPng, pngSize, type PictureSize } from './draw-png.ts';
import { notPicture } from './not-picture.ts';
import { isGif, stripGif } from './strip-gif.ts';
import { isJpeg, stripJpeg } from './strip-jpeg.ts';

/** A picture as it is stored: only its pixels, without other data of the file. */
export interface DrawnPicture {
  mimeType: 'image/png' | 'image/jpeg' | 'image/gif';
  content: Buffer;
  /** SHA-256 of the content, as hexadecimal text. */
  digest: string;
}

/** Larger than any page needs. In a base64 body it is a third larger. */
export const mostPictureBytes = 3_000_000;
/** Smaller than for other types, because drawing a PNG needs four bytes of memory for each pixel. */
const mostPngPixels = 2_000;

/**
 * A budget for the PNGs of one call: as many pixels as the largest has. To draw them takes half a second, and a file of
 * 15 kB may have all of them.
 */
export const pixelsOfOneCall = () => ({ pixels: mostPngPixels * mostPngPixels });

const mostPixels = 6_000;

export interface Drawing {
  draw: (file: Buffer) => Promise<Buffer>;
  budget: { pixels: number };
}

/**
 * Draws an uploaded picture anew (PNG), or keeps only its pixels (JPEG, GIF).
 *
 * Refused with: 400 another or a damaged file, more than 3 MB, more than 6000 pixels each way (2000 of a PNG), a PNG of
 * more pixels than the budget has left.
 *
 * @param draw draws a PNG of a size that was checked, in a thread of its own
 * @param budget the pixels that the caller may still have drawn; those of a PNG are taken from it before they are
 */
export async function drawPicture(file: Buffer, { draw, budget }: Drawing): Promise<DrawnPicture> {
  if (file.length > mostPictureBytes) throw invalid('A picture has at most %1 kB.', [mostPictureBytes / 1_000]);
  const { mimeType, content } = await pixelsOf(file, { draw, budget });
  return { mimeType, content, digest: createHash('sha256').update(content).digest('hex') };
}

async function pixelsOf(file: Buffer, { draw, budget }: Drawing): Promise<Pick<DrawnPicture, 'mimeType' | 'content'>> {
  if (isPng(file)) {
    const size = pngSize(file);
    requireSize(size, mostPngPixels);
    budget.pixels -= size.width * size.height;
    if (budget.pixels < 0) throw invalid('The PNG pictures of one call have too many pixels. Send them one by one.');
    return { mimeType: 'image/png', content: await draw(file) };
  }
  const [mimeType, read] = isJpeg(file)
    ? (['image/jpeg', stripJpeg(file)] as const)
    : (['image/gif', isGif(file) ? stripGif(file) : undefined] as const);
  if (!read) throw notPicture();
  requireSize(read.size, mostPixels);
  return { mimeType, content: read.content };
}

function requireSize({ width, height }: PictureSize, most: number): void {
  if (width < 1 || height < 1) throw notPicture();
  if (width > most || height > most) throw invalid('A picture has at most %1 pixels each way.', [most]);
}
