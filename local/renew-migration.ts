import { writeFileSync } from 'node:fs';
import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../db/orm.ts';
import { readReleases, renewalRefusal } from './release.ts';

/** Writes the tables of the first migration again from the entities, until it is released. */
const refusal = renewalRefusal(readReleases());
if (refusal !== undefined) {
  console.error(refusal);
  process.exit(1);
}
const file = 'db/migrations/first-day/10-tables.sql';
const orm = await MikroORM.init(ormOptions('postgres://nobody@127.0.0.1/none'));
writeFileSync(file, await orm.schema.getCreateSchemaSQL({ wrap: false }));
console.log(`Wrote ${file}`);
await orm.close(true);
