import { Migration } from '@mikro-orm/migrations';

/** What indexes and defaults are made with, so it comes before every table. Any owner of a database may add it. */
export class Migration20261121000000_extensions extends Migration {
  override up(): void {
    this.addSql('create extension if not exists pg_trgm');
    this.addSql(newNameTail);
  }

  override down(): void {
    this.addSql('drop function new_name_tail()');
    this.addSql('drop extension if exists pg_trgm');
  }
}

/** The installation's key, and a part by chance: no other row of any database has the same. */
const newNameTail = `
create function new_name_tail() returns text language plpgsql volatile as $$
begin
  return (select installation_key from installation) || '-' || left(replace(gen_random_uuid()::text, '-', ''), 16);
end $$`;
