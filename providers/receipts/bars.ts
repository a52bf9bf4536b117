/** Bars and gaps of Code 128, set B and its control symbols: widths of three bars and three gaps for each value. */
const patterns = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232'
).split(' ');
const startB = 104;
const stop = '2331112';
const quiet = 10;
const zero = '0'.charCodeAt(0);
/** By width. */
const bars = [0, 1, 2, 3, 4].map((width) => ` 0h${width}v40h-${width}z`);
/** The most characters on 80 mm of paper. */
const longest = 24;

/**
 * Draws a number as Code 128 for a hand scanner; undefined for a text that is too long or not plain letters and
 * digits.
 */
export function barsOf(text: string): { width: number; path: string } | undefined {
  if (!/^[\x20-\x7e]+$/.test(text) || text.length > longest) return undefined;
  let check = startB;
  let widths = patterns[startB] ?? '';
  for (let place = 0; place < text.length; place++) {
    const value = text.charCodeAt(place) - 32;
    check += value * (place + 1);
    widths += patterns[value] ?? '';
  }
  widths += (patterns[check % 103] ?? '') + stop;
  let x = quiet;
  let path = '';
  for (let place = 0; place < widths.length; place++) {
    const width = widths.charCodeAt(place) - zero;
    if (place % 2 === 0) path += `M${x}${bars[width] ?? ''}`;
    x += width;
  }
  return { width: x + quiet, path };
}
