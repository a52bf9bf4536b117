import { PNG } from 'pngjs';
import type { PosError } from '../../../domain/errors.ts';

export interface PictureSize {
  width: number;
  height: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export const isPng = (file: Buffer) =>
  file.length >= 33 && file.subarray(0, 8).equals(signature) && file.toString('latin1', 12, 16) === 'IHDR';

/** The size from the file's first block, read before anything is unpacked. */
export const pngSize = (file: Buffer): PictureSize => ({ width: file.readUInt32BE(16), height: file.readUInt32BE(20) });

/**
 * Draws a PNG anew from its pixels only, without texts, profiles or animation. The caller has checked its size.
 *
 * @param damaged the error for a file that cannot be read completely
 */
export function drawPng(file: Buffer, damaged: () => PosError): Buffer {
  try {
    const { width, height, data } = PNG.sync.read(file, { checkCRC: true, skipRescale: false });
    const drawn = new PNG({ width, height });
    data.copy(drawn.data);
    return PNG.sync.write(drawn);
  } catch {
    throw damaged();
  }
}
