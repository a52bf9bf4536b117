import { inflateSync } from 'node:zlib';
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

/** Before the data of a block are its length and its type, behind them is its checksum. */
const dataAt = 8;
const aroundData = 12;

/**
 * Draws a PNG anew: only the pixels go on, no text, no profile, no animation. Its size is checked before, and no more is
 * unpacked than a picture of that size has.
 *
 * @param damaged the error for a file that cannot be read completely
 * @param isLenient the last block and right checksums may be missing
 */
export function drawPng(file: Buffer, damaged: () => PosError, { isLenient = false } = {}): Buffer {
  try {
    requireHonest(file);
    const whole = isLenient ? withEnd(file) : file;
    const { width, height, data } = PNG.sync.read(whole, { checkCRC: !isLenient, skipRescale: false });
    const drawn = new PNG({ width, height });
    data.copy(drawn.data);
    return PNG.sync.write(drawn);
  } catch {
    throw damaged();
  }
}

/**
 * What `pngjs` takes on trust: a second first block would change the size after it was checked, and an interlaced picture is
 * unpacked whatever it grows to. Throws for a file that lies, or breaks off.
 */
function requireHonest(file: Buffer): void {
  const packed: Buffer[] = [];
  for (let at = signature.length; at + aroundData <= file.length;) {
    const type = file.toString('latin1', at + 4, at + dataAt);
    const end = at + dataAt + file.readUInt32BE(at);
    if (type === 'IHDR' && at > signature.length) throw new Error('a second size');
    if (type === 'IDAT') packed.push(file.subarray(at + dataAt, end));
    at = end + aroundData - dataAt;
  }
  if (isInterlaced(file)) inflateSync(Buffer.concat(packed), { maxOutputLength: mostUnpacked(pngSize(file)) });
}

const lastBlock = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);

/** A last block behind the last whole one, where there is none. */
function withEnd(file: Buffer): Buffer {
  let at = signature.length;
  while (at + aroundData <= file.length) {
    if (file.toString('latin1', at + 4, at + dataAt) === 'IEND') return file;
    const next = at + aroundData + file.readUInt32BE(at);
    if (next > file.length) break;
    at = next;
  }
  return Buffer.concat([file.subarray(0, at), lastBlock]);
}

const isInterlaced = (file: Buffer) => file[28] !== 0;

/** Of seven passes: eight bytes for a pixel at most; and for each row a filter and a byte that is not full. */
const mostUnpacked = ({ width, height }: PictureSize) => 8 * width * height + 2 * (2 * height + 7);
