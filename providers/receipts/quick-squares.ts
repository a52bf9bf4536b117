import { create } from 'qrcode';

/** A QR code's squares, row by row: 1 is dark. */
export interface Squares {
  size: number;
  data: Uint8Array;
}

/**
 * How the bytes of each version with medium correction are parted: check bytes of a part, then how many parts there are
 * with how many data bytes (ISO/IEC 18004, table 9).
 */
const partings: readonly (readonly [check: number, ...parts: (readonly [count: number, bytes: number])[]])[] = [
  [10, [1, 16]],
  [16, [1, 28]],
  [26, [1, 44]],
  [18, [2, 32]],
  [24, [2, 43]],
  [16, [4, 27]],
  [18, [4, 31]],
  [22, [2, 38], [2, 39]],
  [22, [3, 36], [2, 37]],
];
/** A code of these versions begins with its alphabet, 4 bits, and its length, 8 bits. */
const headerBytes = 2;
const errorCorrectionLevel = 'M';
export const quickMask = 2;

/**
 * Draws bytes with a fixed mask, as `qrcode` does, in a tenth of the time: all but the bytes is the same for all codes of
 * a version, and is kept. Undefined for more bytes than the ninth version holds.
 */
export function quickSquares(bytes: Buffer): Squares | undefined {
  const version = partings.findIndex((_, at) => bytes.length <= frameOf(at).most);
  const frame = frames[version];
  if (frame === undefined) return undefined;
  const data = frame.data.slice();
  const sent = interleaved(padded(bytes, frame.most + headerBytes), frame);
  const { places, flips } = frame;
  for (let at = 0; at < places.length; at++) {
    const bit = ((sent[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
    data[places[at] ?? 0] = bit ^ (flips[at] ?? 0);
  }
  return { size: frame.size, data };
}

interface Frame extends Squares {
  /** The most bytes. */
  most: number;
  check: number;
  /** Data bytes of each part. */
  parts: readonly number[];
  /** Squares of the bits, in their order, and whether the mask turns them over. */
  places: Uint16Array;
  flips: Uint8Array;
}

const frames: Frame[] = [];

/** What every code of a version has; the library draws the first one. */
function frameOf(at: number): Frame {
  const known = frames[at];
  if (known) return known;
  const [check, ...groups] = partings[at] ?? [0];
  const parts = groups.flatMap(([count, bytes]) => Array.from({ length: count }, () => bytes));
  const most = parts.reduce((sum, one) => sum + one, 0) - headerBytes;
  const { modules } = create([{ data: Buffer.alloc(most), mode: 'byte' }], {
    errorCorrectionLevel,
    maskPattern: quickMask,
    version: at + 1,
  });
  const { size, reservedBit } = modules;
  const places = Uint16Array.from(order(size).filter((place) => !reservedBit[place]));
  const frame = { size, data: Uint8Array.from(modules.data), most, check, parts, places, flips: flipsOf(places, size) };
  frames[at] = frame;
  return frame;
}

/** Bits run in columns of two, up and down, from the right; the column of the timing marks is left out. */
function order(size: number): number[] {
  const places: number[] = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const row = isUp ? size - 1 - step : step;
      places.push(row * size + right, row * size + right - 1);
    }
    isUp = !isUp;
  }
  return places;
}

/** The third mask turns every third column over. */
const flipsOf = (places: Uint16Array, size: number) =>
  Uint8Array.from(places, (place) => ((place % size) % 3 === 0 ? 1 : 0));

/** Alphabet and length, the bytes, the end, and what fills the rest. */
function padded(bytes: Buffer, length: number): Uint8Array {
  const all = new Uint8Array(length);
  all[0] = 0x40 | (bytes.length >> 4);
  all[1] = (bytes.length & 15) << 4;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    all[at + 1] = (all[at + 1] ?? 0) | (byte >> 4);
    all[at + 2] = (byte & 15) << 4;
  }
  for (let at = bytes.length + 2, isFirst = true; at < length; at++, isFirst = !isFirst)
    all[at] = isFirst ? 0xec : 0x11;
  return all;
}

/** The first byte of each part, then the second of each, …; then the check bytes likewise. */
function interleaved(all: Uint8Array, { parts, check }: Frame): Uint8Array {
  const sent = new Uint8Array(all.length + parts.length * check);
  const most = parts.at(-1) ?? 0;
  const least = parts[0] ?? 0;
  const short = parts.filter((one) => one === least).length;
  let start = 0;
  for (const [part, length] of parts.entries()) {
    const own = all.subarray(start, start + length);
    for (let at = 0; at < length; at++) {
      // Longer parts come last: only they have a byte in the last round.
      const isLast = at >= least;
      sent[isLast ? least * parts.length + part - short : at * parts.length + part] = own[at] ?? 0;
    }
    checkBytes(own, check).forEach((byte, at) => (sent[all.length + at * parts.length + part] = byte));
    start += length;
  }
  return most === 0 ? all : sent;
}

/** Numbers of the field of 256, which codes are checked in, by their logarithms. */
const powers = new Uint8Array(512);
const logarithms = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power++) {
  powers[power] = powers[power + 255] = value;
  logarithms[value] = power;
  value = value & 0x80 ? (value << 1) ^ 0x11d : value << 1;
}

/** By number of check bytes: the logarithms of the divisor, without its first number, which is one. */
const divisors = new Map<number, Uint8Array>();

/** The rest of dividing a part by the code's polynomial. */
function checkBytes(part: Uint8Array, count: number): Uint8Array {
  const divisor = divisorOf(count);
  const rest = new Uint8Array(count);
  for (const byte of part) {
    const factor = byte ^ (rest[0] ?? 0);
    rest.copyWithin(0, 1);
    rest[count - 1] = 0;
    if (factor === 0) continue;
    const log = logarithms[factor] ?? 0;
    for (let at = 0; at < count; at++) rest[at] = (rest[at] ?? 0) ^ (powers[log + (divisor[at] ?? 0)] ?? 0);
  }
  return rest;
}

function divisorOf(count: number): Uint8Array {
  const known = divisors.get(count);
  if (known) return known;
  let product = new Uint8Array([1]);
  for (let root = 0; root < count; root++) {
    const next = new Uint8Array(product.length + 1);
    for (const [at, value] of product.entries()) {
      next[at] = (next[at] ?? 0) ^ value;
      if (value !== 0) next[at + 1] = (next[at + 1] ?? 0) ^ (powers[(logarithms[value] ?? 0) + root] ?? 0);
    }
    product = next;
  }
  const logs = product.subarray(1).map((value) => logarithms[value] ?? 0);
  divisors.set(count, logs);
  return logs;
}
