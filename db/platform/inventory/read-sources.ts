import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import { text, texts } from '../../support/kinds.ts';
import { allListed, of } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { Source } from './source.entity.ts';

const listed = allListed(Source, 'inventory_source');

export const sourceColumns = listed.columns;

export type SourceRow = RowFrom<typeof read>;

const read = statement({
  takes: { sourceCode: text },
  gives: listed.gives,
  text: `select ${sourceColumns} from inventory_source where source_code = $sourceCode`,
});

/** Refused with 404: an unknown source. */
export async function readSource(em: EntityManager, sourceCode: string): Promise<SourceRow> {
  const row = await read.first(em, { sourceCode });
  if (!row) throw notFound('Source with code "%value" does not exist.', { value: sourceCode });
  return row;
}

/** The existing ones among these codes. */
export const existingSources = async (em: EntityManager, codes: readonly string[]): Promise<Set<string>> =>
  new Set((await readCodes.all(em, { codes })).map((row) => row.sourceCode));

const readCodes = statement({
  takes: { codes: texts },
  gives: of(Source, 'sourceCode'),
  text: 'select source_code from inventory_source where source_code = any($codes::text[])',
});
