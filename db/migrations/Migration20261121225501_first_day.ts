import { Migration } from '@mikro-orm/migrations';
import { firstDayFingerprint, firstDayTexts } from '../support/migration-options.ts';

/**
 * Makes the database of the first release: the files of `first-day/` in the order of their names. Nothing was there
 * before it, so there is no way down.
 */
export class Migration20261121225501_first_day extends Migration {
  override up(): void {
    for (const text of firstDayTexts()) this.addSql(text);
    // The migrator writes the row with the name after this, in the same transaction: the default is its fingerprint.
    this.addSql(`alter table schema_migration add column fingerprint text default '${firstDayFingerprint()}'`);
    this.addSql('alter table schema_migration add column needs text');
  }
}
