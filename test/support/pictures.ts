import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import sharp from 'sharp';

/** A PNG of one colour. */
export function aPng(width = 2, height = 2, colour = 0x7f): Buffer {
  const png = new PNG({ width, height });
  png.data.fill(colour);
  return PNG.sync.write(png);
}

/** A PNG as its author says: sizes, one block each, and then what is packed. */
export function aToldPng(
  sizes: readonly (readonly [number, number])[],
  unpacked: Buffer,
  isInterlaced = false,
): Buffer {
  const heads = sizes.map(([width, height]) => {
    const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, isInterlaced ? 1 : 0]);
    head.writeUInt32BE(width, 0);
    head.writeUInt32BE(height, 4);
    return block('IHDR', head);
  });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, ...heads, block('IDAT', deflateSync(unpacked)), block('IEND', Buffer.alloc(0))]);
}

/** A block of a PNG, with its checksum. */
export function block(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(checksum(content));
  return Buffer.concat([length, content, sum]);
}

/** CRC-32, as PNG has it. */
function checksum(data: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/** A photograph of one colour, with what a camera says of it. */
export const aJpeg = (width = 4, height = 3, said = 'GPS 52.5 13.4', isTurned = false): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#7f2040' } })
    .withExif({ IFD0: { Copyright: said } })
    .withMetadata({ orientation: isTurned ? 6 : 1 })
    .jpeg()
    .toBuffer();

/** A GIF of one point, with a comment. */
export const aGif = (content = 'made by'): Buffer =>
  Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    Buffer.from([0x21, 0xfe, content.length]),
    Buffer.from(content),
    Buffer.from([0]),
    Buffer.from([0x21, 0xf9, 4, 1, 0, 0, 0, 0]),
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]),
    Buffer.from([0x3b]),
  ]);
