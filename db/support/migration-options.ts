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
  // Whoever migrates a database changes nothing of the source: it may not even be allowed to.
  snapshotOnMigrate: false,
  tableName: 'schema_migration',
};
