/** The longest address that a mail server takes. */
const longest = 254;
/** No blank, no control character, nothing that could end the address or begin another one. */
const plain =
  /^[^\s\p{C}<>()[\]\\,;:"@]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;

/** Whether a text is the address of one recipient and nothing else: no list, no name beside it, no further header. */
export const isOneAddress = (text: string): boolean => text.length <= longest && plain.test(text.normalize('NFC'));
