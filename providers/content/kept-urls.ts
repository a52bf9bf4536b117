/** Characters a browser skips while it reads a scheme. */
// oxlint-disable-next-line no-control-regex
const skipped = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028\u2029\ufeff]/g;

const scheme = /^([a-z][a-z\d+.-]*):/i;
const rasterImage = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[a-z\d+/=]*$/i;

/** Where a link may lead. */
export const isKeptLink = (url: string): boolean => hasScheme(url, ['http', 'https', 'mailto', 'tel']);

/** Where a picture or a film may come from: the web, the shop itself, or the text itself where it is a raster image. */
export const isKeptMedia = (url: string): boolean => hasScheme(url, ['http', 'https']) || rasterImage.test(url.trim());

/** No scheme is the shop's own; `//host` and `/\host` are somebody else's without saying how. */
function hasScheme(url: string, schemes: readonly string[]): boolean {
  const read = url.replace(skipped, '');
  if (/^[\\/]{2}/.test(read)) return false;
  const found = scheme.exec(read);
  // What comes before the first slash and has a colon is a scheme to some browsers, whatever its letters.
  if (!found) return !/^[^/?#]*:/.test(read);
  return schemes.includes(found[1]?.toLowerCase() ?? '');
}
