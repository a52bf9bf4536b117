/** Characters that a terminal obeys or reorders instead of showing them. A tab is harmless. */
const unseen = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Text from outside, safe for a log line or a terminal: invisible characters are shown as `\u001b`. */
export const visibleText = (text: string): string =>
  text.replaceAll(unseen, (sign) =>
    sign === '\t' ? sign : `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
