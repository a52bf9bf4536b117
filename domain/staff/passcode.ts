/** bcrypt looks at 72 bytes and no further: whatever follows would not count. */
export const maxPasscodeBytes = 72;

/** What may be hashed: something, no zero byte, and nothing beyond what bcrypt looks at. */
export const isHashable = (passcode: string): boolean =>
  passcode.length > 0 && !passcode.includes('\0') && utf8Length(passcode) <= maxPasscodeBytes;

/** @returns half a sentence that says why a passcode cannot be kept, or undefined. */
export function passcodeFault(passcode: string): string | undefined {
  if (passcode === '') return 'the passcode is empty';
  if (passcode.includes('\0')) return 'the passcode has a zero byte';
  return isHashable(passcode) ? undefined : `the passcode is longer than ${maxPasscodeBytes} bytes`;
}

/**
 * When a passcode was changed, as registers compare it (spec 2.5): always later than the change before, also to the
 * second, which is as exact as they are told.
 */
export function nextWatermark(previous: Date | undefined, now: Date): Date {
  if (!previous) return now;
  const nextSecond = (Math.floor(previous.getTime() / 1_000) + 1) * 1_000;
  return new Date(Math.max(now.getTime(), nextSecond));
}

/** Counted here because this layer knows no `Buffer`; stops as soon as it is too long. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > maxPasscodeBytes) break;
  }
  return bytes;
}
