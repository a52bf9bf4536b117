import { Migration } from '@mikro-orm/migrations';

/** The two categories that every shop has: the root of all, and the one whose children the first shop shows. */
export class Migration20261123000000_categories extends Migration {
  override up(): void {
    this.addSql(`insert into category (entity_id, parent_id, path, level, position, name, created_at, updated_at) values
      (1, 0, '1', 0, 0, 'Root Catalog', '2026-11-23', '2026-11-23'),
      (2, 1, '1/2', 1, 1, 'Default Category', '2026-11-23', '2026-11-23')`);
    this.addSql(`select setval(pg_get_serial_sequence('category', 'entity_id'), 2)`);
  }

  override down(): void {
    this.addSql('delete from category where entity_id in (1, 2)');
  }
}
