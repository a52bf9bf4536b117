import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

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

function block(type: string, data: Buffer): Buffer {
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

const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

/** A JPEG as far as its blocks go, with what a camera adds. */
export function aJpeg(width = 4, height = 3, content = 'GPS 52.5 13.4'): Buffer {
  const frame = Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0')),
    segment(0xe1, Buffer.from(`Exif\0\0${content}`)),
    segment(0xfe, Buffer.from(content)),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd0, 4]),
    Buffer.from([0xff, 0xd9]),
    Buffer.from(content),
  ]);
}

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
