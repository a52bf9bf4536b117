import type { EntityManager } from '@mikro-orm/postgresql';
import { texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Source } from './source.entity.ts';

/** The existing ones among these codes. */
export const existingSources = async (em: EntityManager, codes: readonly string[]): Promise<Set<string>> =>
  new Set((await readCodes.all(em, { codes })).map((row) => row.sourceCode));

const readCodes = statement({
  takes: { codes: texts },
  gives: of(Source, 'sourceCode'),
  text: 'select source_code from inventory_source where source_code = any($codes::text[])',
});
