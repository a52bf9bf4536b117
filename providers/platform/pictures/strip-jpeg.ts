import type { PictureSize } from './draw-png.ts';
import { isForgiven } from './not-picture.ts';

/** Markers by ITU-T T.81, annex B. */
const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const jfif = 0xe0;
/** Names how the colours are stored: without it they come out wrong. */
const adobe = 0xee;
const comment = 0xfe;
const notFrames = new Set([0xc4, 0xc8, 0xcc]);

export const isJpeg = (file: Buffer) => file.length > 4 && file[0] === 0xff && file[1] === startOfImage;

/**
 * A JPEG's picture without other data of the file: no location, no comment, no second picture, nothing after its end.
 * Undefined: the file is damaged. One of few bytes may lack its end.
 */
export function stripJpeg(file: Buffer): { content: Buffer; size: PictureSize } | undefined {
  const kept: Buffer[] = [file.subarray(0, 2)];
  let size: PictureSize | undefined;
  let hasScan = false;
  for (let at = 2; at + 2 <= file.length;) {
    const marker = file[at + 1];
    if (file[at] !== 0xff || marker === undefined) return undefined;
    if (marker === 0xff) {
      at += 1; // a filler
      continue;
    }
    if (marker === endOfImage) {
      kept.push(file.subarray(at, at + 2));
      return size && hasScan ? { content: Buffer.concat(kept), size } : undefined;
    }
    const end = segmentEnd(file, at);
    if (end === undefined) return undefined;
    if (isFrame(marker)) size = frameSize(file, at, end);
    const next = marker === startOfScan ? scanEnd(file, end) : end;
    hasScan ||= marker === startOfScan;
    if (isPicture(marker)) kept.push(file.subarray(at, next));
    at = next;
  }
  if (!isForgiven(file) || !size || !hasScan) return undefined;
  return { content: Buffer.concat([...kept, Buffer.from([0xff, endOfImage])]), size };
}

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker);

const isPicture = (marker: number) =>
  marker === jfif || marker === adobe || !((marker >= 0xe0 && marker <= 0xef) || marker === comment);

/** Undefined when the file ends before the segment does. */
function segmentEnd(file: Buffer, at: number): number | undefined {
  if (at + 4 > file.length) return undefined;
  const end = at + 2 + file.readUInt16BE(at + 2);
  return end >= at + 4 && end <= file.length ? end : undefined;
}

const frameSize = (file: Buffer, at: number, end: number): PictureSize | undefined =>
  end - at < 10 ? undefined : { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };

/** The position after a scan's pixels: the next marker that is not part of them. */
function scanEnd(file: Buffer, from: number): number {
  let at = file.indexOf(0xff, from);
  while (at >= 0 && at + 1 < file.length) {
    const marker = file[at + 1] ?? 0;
    if (marker !== 0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd7)) return at;
    at = file.indexOf(0xff, at + (marker === 0xff ? 1 : 2));
  }
  return file.length;
}
