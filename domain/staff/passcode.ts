/** bcrypt reads only 72 bytes: any further bytes would not count. */
export const maxPasscodeBytes = 72;

/** What may be hashed: not empty, no zero byte, no more bytes than bcrypt reads. */
export const isHashable = (passcode: string): boolean =>
  passcode.length > 0 && !passcode.includes('\0') && utf8Length(passcode) <= maxPasscodeBytes;

/** @returns half a sentence that says why a passcode cannot be kept, or undefined. */
export function passcodeFault(passcode: string): string | undefined {
  if (passcode === '') return 'the passcode is empty';
  if (passcode.includes('\0')) return 'the passcode has a zero byte';
  return isHashable(passcode) ? undefined : `the passcode is longer than ${maxPasscodeBytes} bytes`;
}

/**
 * When a passcode was changed, as registers compare it (spec 2.5). It always falls into a later second than the
 * change before, because registers get whole seconds.
 */
export function nextWatermark(previous: Date | undefined, now: Date): Date {
  if (!previous) return now;
  const nextSecond = (Math.floor(previous.getTime() / 1_000) + 1) * 1_000;
  return new Date(Math.max(now.getTime(), nextSecond));
}

/** Counted by hand because this layer has no `Buffer`; stops as soon as the text is too long. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > maxPasscodeBytes) break;
  }
  return bytes;
}
