import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';
import { invalid } from '../../domain/errors.ts';

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
  const [width, height] = sizeOf(file);
  if (width < 1 || height < 1 || width > mostPixels || height > mostPixels)
    throw invalid('A logo has at most %1 pixels each way.', [mostPixels]);
  const content = PNG.sync.write(pixelsOf(file));
  return { digest: createHash('sha256').update(content).digest('hex'), content, width, height };
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Read from the first block, before the file is unpacked. */
function sizeOf(file: Buffer): [number, number] {
  if (file.length < 33 || !file.subarray(0, 8).equals(signature) || file.toString('latin1', 12, 16) !== 'IHDR')
    throw notPng();
  return [file.readUInt32BE(16), file.readUInt32BE(20)];
}

/** Only the pixels are kept: no text, no profile, no animation. */
function pixelsOf(file: Buffer): PNG {
  try {
    const { width, height, data } = PNG.sync.read(file, { checkCRC: true, skipRescale: false });
    const drawn = new PNG({ width, height });
    data.copy(drawn.data);
    return drawn;
  } catch {
    throw notPng();
  }
}

const notPng = () => invalid('A logo is a PNG.');
