import { invalid } from '../domain/errors.ts';
import { kindFrom } from './import/forms/from-form.ts';
import { importFile, stock, type LeftOut } from './import/import-state.ts';
import type { ImportKind, ImportOptions } from './import/read-rows.ts';
import { customers } from './import/import-customers.ts';
import { products } from './import/import-products.ts';
import type { Answer, CommandContext } from './support.ts';

const kinds: Readonly<Record<string, ImportKind>> = { products, customers, stock };

/**
 * `import products|customers|stock FILE [--from SYSTEM] [--new-attributes] [--source CODE] [--dates mdy|dmy]`: saves a
 * CSV file row by row, shows its progress and tells what was left out. Refused rows go to a file beside it. After a
 * crash a new run goes on where the last one stopped; a repeat leaves the same records. The exit code is 1 when a row
 * was refused.
 *
 * Refused with 400, before anything is saved: a file that cannot be read, one that is empty or not in UTF-8, a column
 * that is missing, there twice, or without a meaning.
 */
export async function importCsv(
  { em: connect }: CommandContext,
  what: string,
  file: string,
  say = (line: string) => void process.stderr.write(`${line}\n`),
  { from, ...options }: ImportOptions = {},
): Promise<Answer> {
  const kind = kinds[what];
  if (!kind) throw invalid('"%1" cannot be imported.', [what]);
  // The platform writes days as its administrators in America read them.
  const dates = options.dates ?? (from === 'platform' ? 'mdy' : undefined);
  const em = await connect();
  const { rows, refused, skipped, leftOut, refusedFile } = await importFile({
    ...{ em: () => em.fork(), what, kind: kindFrom(what, kind, from), file, say },
    options: { from, ...options, dates },
  });
  const saved = rows - refused - skipped;
  const skippedNote = skipped === 0 ? '' : `, ${skipped} left out`;
  const reasonsNote = refused === 0 ? '' : ` The reasons are in ${refusedFile}.`;
  const leftOutRows = [...leftOut.values()];
  return {
    text: `${rows} rows: ${saved} saved, ${refused} refused${skippedNote}.${reasonsNote}${listOf(leftOutRows)}`,
    json: {
      ...{ rows, saved, refused },
      left_out: leftOutRows.map((one) => ({ what: one.what, rows: one.rows, first_row: one.firstRow })),
      ...(refused === 0 ? {} : { refused_file: refusedFile }),
    },
    isFine: refused === 0,
  };
}

function listOf(leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return '';
  const lines = leftOut.map(({ what, rows, firstRow }) =>
    rows === 1 ? `  ${what} (row ${firstRow})` : `  ${what} (${rows} rows, the first is row ${firstRow})`,
  );
  return `\nLeft out:\n${lines.join('\n')}`;
}
