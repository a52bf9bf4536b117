import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Options } from '@mikro-orm/postgresql';

const folder = fileURLToPath(new URL('../migrations', import.meta.url));

/** Where migrations are and how they run: all pending ones in one transaction. */
export const migrationOptions: NonNullable<Options['migrations']> = {
  path: folder,
  pathTs: folder,
  glob: '!(*.d).{js,ts}',
  emit: 'ts',
  snapshot: false,
  transactional: true,
  allOrNothing: true,
  tableName: 'schema_migration',
};

/** The first migration, as release 2.0.0 has it. */
export const firstDay = 'Migration20261121225501_first_day';

/** The texts of the first migration, in the order in which they run. */
export const firstDayTexts = (): string[] => {
  const files = new URL('../migrations/first-day/', import.meta.url);
  return readdirSync(files)
    .toSorted()
    .map((file) => readFileSync(new URL(file, files), 'utf8'));
};

/** Tells two states of the first migration apart, whose name stays the same. */
export function firstDayFingerprint(): string {
  const digest = createHash('sha256');
  for (const text of firstDayTexts()) digest.update(text).update('\0');
  return digest.digest('hex');
}
