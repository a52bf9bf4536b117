/** The longest address that a mail server takes. */
const longest = 254;
/** No blank and no control character: nothing that could end the address or begin another. */
const plain =
  /^[^\s\p{C}<>()[\]\\,;:"@]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;

/** Whether a text is exactly one recipient's address: no list, no name, no further header. */
export const isOneAddress = (text: string): boolean => text.length <= longest && plain.test(text.normalize('NFC'));
