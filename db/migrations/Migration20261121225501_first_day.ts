import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

const folder = new URL('./first-day/', import.meta.url);

/**
 * Makes the database of the first release: the files of `first-day/` in the order of their names. Nothing was there
 * before it, so there is no way down.
 */
export class Migration20261121225501_first_day extends Migration {
  override up(): void {
    for (const file of readdirSync(folder).toSorted()) this.addSql(readFileSync(new URL(file, folder), 'utf8'));
  }
}
