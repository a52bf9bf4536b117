import type { PictureSize } from './draw-png.ts';
import { isForgiven } from './not-picture.ts';

const extension = 0x21;
const image = 0x2c;
const trailer = 0x3b;
/** The block with a frame's duration and transparency. */
const control = 0xf9;

export const isGif = (file: Buffer) => /^GIF8[79]a$/.test(file.toString('latin1', 0, 6)) && file.length >= 14;

/** The frames of a GIF, without other data of the file. Undefined: the file is damaged. One of few bytes may lack its end. */
export function stripGif(file: Buffer): { content: Buffer; size: PictureSize } | undefined {
  const size = { width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
  let at = 13 + tableBytes(file[10] ?? 0);
  const kept: Buffer[] = [file.subarray(0, at)];
  let hasImage = false;
  while (at < file.length) {
    const block = file[at];
    if (block === trailer) {
      kept.push(file.subarray(at, at + 1));
      return hasImage ? { content: Buffer.concat(kept), size } : undefined;
    }
    if (block !== extension && block !== image) return undefined;
    const end = partsEnd(file, block === extension ? at + 2 : at + 11 + tableBytes(file[at + 9] ?? 0));
    if (end === undefined) return undefined;
    hasImage ||= block === image;
    if (block === image || file[at + 1] === control) kept.push(file.subarray(at, end));
    at = end;
  }
  return hasImage && isForgiven(file) ? { content: Buffer.concat([...kept, Buffer.from([trailer])]), size } : undefined;
}

/** The size of a colour table, from its flags. */
const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

/** The position after a block's parts; an empty part is the last one. */
function partsEnd(file: Buffer, from: number): number | undefined {
  for (let at = from; at < file.length;) {
    const length = file[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at <= file.length ? at : undefined;
  }
  return undefined;
}
