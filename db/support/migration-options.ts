import type { Options } from '@mikro-orm/postgresql';

/** Where migrations lie and how they run: each and all of them in one transaction. */
export const migrationOptions: NonNullable<Options['migrations']> = {
  path: 'db/migrations',
  pathTs: 'db/migrations',
  glob: '!(*.d).{js,ts}',
  emit: 'ts',
  snapshot: true,
  snapshotName: '.snapshot-pos',
  transactional: true,
  allOrNothing: true,
  tableName: 'schema_migration',
};
