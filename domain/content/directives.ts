/** What an editor wrote between double braces: `{{block id="footer"}}`. */
export interface Directive {
  name: string;
  values: Readonly<Record<string, string>>;
}

/** The text within the braces. A longer text is not a directive and stays as it is. */
const pattern = /\{\{\s*([a-z]\w{0,30})\b([^{}]{0,2000})\}\}/gi;
const value = /([a-z_]\w{0,50})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/gi;
/** Editors of HTML write quotes and ampersands of an attribute in this way. */
const entities: Readonly<Record<string, string>> = { '&quot;': '"', '&#39;': "'", '&apos;': "'", '&amp;': '&' };

export const directivesIn = (text: string): Directive[] =>
  [...text.matchAll(pattern)].map(([, name = '', rest = '']) => read(name, rest));

/** The text with each directive replaced by what `fill` makes of it. */
export const fillIn = (text: string, fill: (directive: Directive) => string): string =>
  text.replaceAll(pattern, (_, name: string, rest: string) => fill(read(name, rest)));

function read(name: string, rest: string): Directive {
  const plain = rest.replaceAll(/&(?:quot|apos|amp|#39);/g, (entity) => entities[entity] ?? entity);
  const values = [...plain.matchAll(value)].map(([, key = '', ...given]) => [
    key.toLowerCase(),
    given.find((one) => one !== undefined) ?? '',
  ]);
  return { name: name.toLowerCase(), values: Object.fromEntries(values) };
}
