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
