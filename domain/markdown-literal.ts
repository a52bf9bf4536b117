/**
 * Characters with a meaning in a Markdown line, and texts that become links by themselves. An underscore inside a
 * word has no meaning.
 */
const meansSomething = /[\\`*[\]<>&~|@]|:\/\/|www\.|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/i;

/**
 * Text from outside, made safe for a Markdown page: one line, shown as it was written. It follows words of ours,
 * never the start of a line.
 *
 * Text without special characters stays as it is. Other text is shown as code, where Markdown has no meaning.
 */
export function markdownLiteral(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  if (!meansSomething.test(line)) return line;
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + runs.reduce((longest, run) => Math.max(longest, run.length), 0));
  const edge = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${edge}${line}${edge}${fence}`;
}
