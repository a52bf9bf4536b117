import type { Options } from '@mikro-orm/postgresql';

/** Where migrations are and how they run: all pending ones in one transaction. */
export const migrationOptions: NonNullable<Options['migrations']> = {
  path: 'db/migrations',
  pathTs: 'db/migrations',
  glob: '!(*.d).{js,ts}',
  emit: 'ts',
  snapshot: true,
  snapshotName: '.snapshot-pos',
  transactional: true,
  allOrNothing: true,
  // A migration run must not write to the source folder; it may not have the right to.
  snapshotOnMigrate: false,
  tableName: 'schema_migration',
};
