/**
 * The path of a request's target, without its query; undefined for an invalid address. Never throws: a sender may
 * write anything there, and `new URL` throws on `//`.
 */
export function pathOf(target: string | undefined): string | undefined {
  if (target === undefined) return undefined;
  if (target.startsWith('/')) return upTo(target, ['?', '#']);
  // The absolute form, as a proxy sends it; `*` and the form of CONNECT are invalid here.
  return /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target).pathname : undefined;
}

const upTo = (text: string, signs: readonly string[]) =>
  text.slice(0, Math.min(...signs.map((sign) => (text.includes(sign) ? text.indexOf(sign) : text.length))));
