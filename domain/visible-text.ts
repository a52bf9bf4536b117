/** What a terminal obeys or turns around instead of showing it. A tab only moves on. */
const unseen = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text of somebody else's for a line of a log or a terminal: what cannot be seen stands there as `\u001b`. */
export const visibleText = (text: string): string =>
  text.replaceAll(unseen, (sign) =>
    sign === '\t' ? sign : `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
