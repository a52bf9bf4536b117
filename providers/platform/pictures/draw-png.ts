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
 * What `pngjs` takes on trust: a second first block would change the size after it was checked, an interlaced picture is
 * unpacked whatever it grows to, and pixels that are missing are whatever lay in memory. Throws for a file that lies, or
 * breaks off.
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
  const bytes = unpackedBytes(file);
  const unpacked = inflateSync(Buffer.concat(packed), { maxOutputLength: bytes + mostBehind });
  if (unpacked.length < bytes) throw new Error('fewer pixels than its size');
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

/** Some programs write a few bytes behind the last pixel. */
const mostBehind = 1_024;

/** Numbers of a pixel by its colour type: grey, red-green-blue, an index, grey with alpha, all four. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Where each of the seven passes of an interlaced picture begins, and its steps: x, y, step of x, step of y. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** What the pixels of a picture of this size come to: each row has its filter in front, and ends with a whole byte. */
function unpackedBytes(file: Buffer): number {
  const { width, height } = pngSize(file);
  const bits = (channels[file[25] ?? -1] ?? 0) * (file[24] ?? 0);
  if (bits === 0) throw new Error('no such kind of pixel');
  const rows = (across: number, down: number) =>
    across < 1 || down < 1 ? 0 : down * (1 + Math.ceil((across * bits) / 8));
  if (file[28] === 0) return rows(width, height);
  const parts = passes.map(([x, y, stepX, stepY]) =>
    rows(Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)),
  );
  return parts.reduce((sum, bytes) => sum + bytes, 0);
}
