const [isolate, endOfIsolate] = ['\u2068', '\u2069'];
const marks = { ltr: '\u200E', rtl: '\u200F' } as const;
/** Letters of scripts that are written from right to left, and the mark of that direction. */
const rightToLeft = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Puts texts of several sources beside one another, a blank between two of them where nothing else is said. */
export type Beside = (texts: readonly string[], between?: string) => string;

/**
 * Isolates each text, so that none reorders its neighbours: an English label between Arabic figures, or the other way
 * round. A mark at the front gives the whole the direction of its document. Where all texts run from left to right,
 * nothing is added.
 */
export const besideIn =
  (direction: 'ltr' | 'rtl'): Beside =>
  (texts, between = ' ') =>
    texts.length > 1 && (direction === 'rtl' || texts.some((text) => rightToLeft.test(text)))
      ? `${marks[direction]}${texts.map(isolated).join(between)}`
      : texts.join(between);

/** A value within a sentence. */
export const isolatedIn = (direction: 'ltr' | 'rtl', text: string): string =>
  direction === 'rtl' || rightToLeft.test(text) ? isolated(text) : text;

/** What a text of others leaves open ends with it, and it ends nothing around it. */
function isolated(text: string): string {
  let open = 0;
  const closed = text.replaceAll(/[\u2066-\u2069]/g, (sign) => {
    if (sign !== endOfIsolate) open++;
    else if (open === 0) return '';
    else open--;
    return sign;
  });
  return `${isolate}${closed}${endOfIsolate.repeat(open + 1)}`;
}
