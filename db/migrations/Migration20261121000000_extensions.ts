import { Migration } from '@mikro-orm/migrations';

/** What indexes are made with, so it comes before every table. Any owner of a database may add it. */
export class Migration20261121000000_extensions extends Migration {
  override up(): void {
    this.addSql('create extension if not exists pg_trgm');
  }

  override down(): void {
    this.addSql('drop extension if exists pg_trgm');
  }
}
