import { writeFileSync } from 'node:fs';
import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../db/orm.ts';

/**
 * Writes the tables of the first migration again from the entities. Only until the first release: afterwards each
 * change is a migration of its own.
 */
const file = 'db/migrations/first-day/10-tables.sql';
const orm = await MikroORM.init(ormOptions('postgres://nobody@127.0.0.1/none'));
writeFileSync(file, await orm.schema.getCreateSchemaSQL({ wrap: false }));
console.log(`Wrote ${file}`);
await orm.close(true);
