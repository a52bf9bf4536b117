/** bcrypt looks at 72 bytes and no further: whatever follows would not count. */
export const maxPasscodeBytes = 72;

/** What may be hashed: something, no zero byte, and nothing beyond what bcrypt looks at. */
export const isHashable = (passcode: string): boolean =>
  passcode.length > 0 && !passcode.includes('\0') && utf8Length(passcode) <= maxPasscodeBytes;

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
