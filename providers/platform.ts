import { createHash } from 'node:crypto';
import type { Sharp } from 'sharp';
import { invalid, unavailable, type PosError } from '../domain/errors.ts';
import { imageNotBase64, pictureTooHeavy, pictureTooWide } from '../domain/refusals/content.ts';

/** A picture as it is stored: only its pixels, without other data of the file. */
export interface DrawnPicture {
  mimeType: 'image/png' | 'image/jpeg' | 'image/gif';
  content: Buffer;
}

interface Kind {
  mimeType: DrawnPicture['mimeType'];
  /** How a file begins, as hexadecimal text. */
  begins: string;
  mostPixels: number;
  write: (picture: Sharp) => Sharp;
}

/** A photograph is turned as its camera says, because what the camera said does not go on. */
const kinds: readonly Kind[] = [
  { mimeType: 'image/png', begins: '89504e470d0a1a0a', mostPixels: 2_000, write: (picture) => picture.png() },
  {
    mimeType: 'image/jpeg',
    begins: 'ffd8',
    mostPixels: 6_000,
    write: (picture) => picture.autoOrient().jpeg({ quality: 92 }),
  },
  { mimeType: 'image/gif', begins: '47494638', mostPixels: 6_000, write: (picture) => picture.gif() },
];

const kindOf = (file: Buffer) => kinds.find(({ begins }) => file.toString('hex', 0, begins.length / 2) === begins);

/** Larger than any page needs. In a base64 body it is a third larger. */
export const mostPictureBytes = 3_000_000;

/**
 * A picture of so few bytes is a whole one: what broke off on its way is larger. Its end or its checksums may be wrong.
 */
const mostForgiven = 1_024;

/**
 * A budget for the PNGs of one call: as many pixels as the largest has. A file of 15 kB may have all of them, 16 MB
 * when it is unpacked.
 */
export const pixelsOfOneCall = () => ({ pixels: 2_000 * 2_000 });

/** The platform's message, also for a file that is no picture (platform facts 14). */
export const notPicture = (): PosError => imageNotBase64();

/**
 * Draws an uploaded picture anew.
 *
 * Refused with: 400 another or a damaged file, more than 3 MB, more than 6000 pixels each way (2000 of a PNG), a PNG of
 * more pixels than the budget has left · 503 too many pictures are waiting.
 *
 * @param budget the pixels that the caller may still have drawn; those of a PNG are taken from it before they are
 */
export async function drawPicture(file: Buffer, budget: { pixels: number }): Promise<DrawnPicture> {
  if (file.length > mostPictureBytes) throw pictureTooHeavy([mostPictureBytes / 1_000]);
  const kind = kindOf(file);
  if (!kind) throw notPicture();
  const { mimeType, mostPixels } = kind;
  const content = await redraw(file, {
    kind,
    isForgiven: file.length <= mostForgiven,
    damaged: notPicture,
    judge({ width, height, pixels }) {
      if (width > mostPixels || height > mostPixels || pixels > mostPixels * mostPixels)
        throw pictureTooWide([mostPixels]);
      if (mimeType === 'image/png') budget.pixels -= pixels;
      if (budget.pixels < 0) throw invalid('The PNG pictures of one call have too many pixels. Send them one by one.');
    },
  });
  return { mimeType, content };
}

/** A stored logo: our own PNG, named after its bytes. */
export interface DrawnLogo {
  digest: string;
  content: Buffer;
  width: number;
  height: number;
}

/** A larger file is a photograph. */
const mostLogoBytes = 500_000;
/** Twice the size that a receipt shows, in both directions. */
const mostLogoPixels = 1_200;

/**
 * Draws an uploaded logo again: only its pixels are kept, no other content of the file.
 *
 * Refused with: 400 a file that is not a PNG, is larger than 500 kB, or has more than 1200 pixels in width or height.
 */
export async function drawLogo(file: Buffer): Promise<DrawnLogo> {
  if (file.length > mostLogoBytes) throw invalid('A logo has at most %1 kB.', [mostLogoBytes / 1_000]);
  const kind = kindOf(file);
  if (kind?.mimeType !== 'image/png') throw notPng();
  const size = { width: 0, height: 0 };
  const content = await redraw(file, {
    kind,
    isForgiven: false,
    damaged: notPng,
    judge({ width, height }) {
      if (width > mostLogoPixels || height > mostLogoPixels)
        throw invalid('A logo has at most %1 pixels each way.', [mostLogoPixels]);
      Object.assign(size, { width, height });
    },
  });
  return { digest: digestOf(content), content, ...size };
}

const notPng = () => invalid('A logo is a PNG.');

const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

interface Drawing {
  kind: Kind;
  isForgiven: boolean;
  /** The refusal of a file that cannot be read completely. */
  damaged: () => PosError;
  /** Throws for a size that is not drawn; `pixels` are those of all frames. */
  judge: (size: { width: number; height: number; pixels: number }) => void;
}

/** The size is read and judged before anything is unpacked. libvips draws on a thread of its own. */
const redraw = (file: Buffer, { kind, isForgiven, damaged, judge }: Drawing): Promise<Buffer> =>
  inTurn(async () => {
    // Loaded with the first picture: it is a library of 20 MB.
    const { default: sharp } = await import('sharp');
    const picture = sharp(file, {
      animated: true,
      failOn: isForgiven ? 'none' : 'error',
      limitInputPixels: false,
      sequentialRead: true,
    });
    const read = <Value>(value: Promise<Value>) =>
      value.catch(() => {
        throw damaged();
      });
    const { width, height, pageHeight = height } = await read(picture.metadata());
    judge({ width, height: pageHeight, pixels: width * height });
    return read(kind.write(picture).toBuffer());
  });

const mostWaiting = 16;
let waiting = 0;
let before: Promise<unknown> = Promise.resolve();

/** One after the other, so that pictures leave the other threads of the process to others. */
function inTurn<Result>(draw: () => Promise<Result>): Promise<Result> {
  if (waiting >= mostWaiting) return Promise.reject(unavailable('Too many pictures at once. Please try again later.'));
  waiting++;
  const turn = before.then(draw).finally(() => waiting--);
  before = turn.catch(() => undefined);
  return turn;
}
