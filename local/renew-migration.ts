import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../db/orm.ts';
import { startPostgres } from './postgres.ts';

/**
 * Writes the first migration again from the entities. Only until the first release: afterwards each change is a new
 * file.
 */
const folder = 'db/migrations';
/** Its place is before the rules that entities cannot express, whatever the date. */
const name = 'Migration20261121225501_first_day';
const postgres = await startPostgres({ durable: false });
try {
  for (const file of readdirSync(folder)) {
    if (/_first_day\.ts$|^\.snapshot/.test(file)) rmSync(join(folder, file));
  }
  const orm = await MikroORM.init({ ...ormOptions(postgres.url('postgres')), extensions: [Migrator] });
  const { fileName, code } = await orm.migrator.create(undefined, false, false, 'first_day');
  rmSync(join(folder, fileName));
  writeFileSync(join(folder, `${name}.ts`), code.replaceAll(fileName.replace(/\.ts$/, ''), name));
  console.log(`Wrote ${folder}/${name}.ts`);
  await orm.close();
} finally {
  await postgres.stop();
}
