/** What means something to Markdown inside a line, or becomes a link by itself. An underscore inside a word means nothing. */
const meansSomething = /[\\`*[\]<>&~|@]|:\/\/|www\.|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/i;

/**
 * A text of somebody else's for a page in Markdown: one line, read as it was written. It stands behind words of ours, never
 * at the start of a line.
 *
 * Where nothing in it means anything it stays bare; else it is shown as code, where nothing does.
 */
export function markdownLiteral(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  if (!meansSomething.test(line)) return line;
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + runs.reduce((longest, run) => Math.max(longest, run.length), 0));
  const edge = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${edge}${line}${edge}${fence}`;
}
