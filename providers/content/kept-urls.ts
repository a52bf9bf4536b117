/** Characters a browser skips while it reads a scheme. */
// oxlint-disable-next-line no-control-regex
const skipped = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028\u2029\ufeff]/g;

const scheme = /^([a-z][a-z\d+.-]*):/i;
const rasterImage = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[a-z\d+/=]*$/i;

/** The permitted targets of links. */
export const isKeptLink = (url: string): boolean => hasScheme(url, ['http', 'https', 'mailto', 'tel']);

/** The permitted sources of pictures and films: the web, the shop itself, or a raster image within the text. */
export const isKeptMedia = (url: string): boolean => hasScheme(url, ['http', 'https']) || rasterImage.test(url.trim());

/** A URL without a scheme is the shop's own; `//host` and `/\host` lead to another host. */
function hasScheme(url: string, schemes: readonly string[]): boolean {
  const read = url.replace(skipped, '');
  if (/^[\\/]{2}/.test(read)) return false;
  const found = scheme.exec(read);
  // Some browsers treat any text with a colon before the first slash as a scheme.
  if (!found) return !/^[^/?#]*:/.test(read);
  return schemes.includes(found[1]?.toLowerCase() ?? '');
}
