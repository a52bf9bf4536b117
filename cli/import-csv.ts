import { invalid } from '../domain/errors.ts';
import { importFile } from './import/import-file.ts';
import type { ImportKind } from './import/import-kind.ts';
import { customers } from './import/import-customers.ts';
import { products } from './import/import-products.ts';
import { stock } from './import/import-stock.ts';
import type { Answer } from './support/answer.ts';
import type { CommandContext } from './support/command-context.ts';

const kinds: Readonly<Record<string, ImportKind>> = { products, customers, stock };

/**
 * `import products|customers|stock FILE`: saves a CSV file row by row and shows its progress. Refused rows go to a file
 * beside it. After a crash a new run goes on where the last one stopped; a repeat leaves the same records. The exit
 * code is 1 when a row was refused.
 *
 * Refused with 400: a file that cannot be read, one that is not in UTF-8, a missing column.
 */
export async function importCsv(
  { em: connect }: CommandContext,
  what: string,
  file: string,
  say = (line: string) => void process.stderr.write(`${line}\n`),
): Promise<Answer> {
  const kind = kinds[what];
  if (!kind) throw invalid('"%1" cannot be imported.', [what]);
  const em = await connect();
  const { rows, refused, refusedFile } = await importFile({ em: () => em.fork(), what, kind, file, say });
  const reasonsNote = refused === 0 ? '' : ` The reasons are in ${refusedFile}.`;
  return {
    text: `${rows} rows: ${rows - refused} saved, ${refused} refused.${reasonsNote}`,
    json: { rows, saved: rows - refused, refused, ...(refused === 0 ? {} : { refused_file: refusedFile }) },
    isFine: refused === 0,
  };
}
