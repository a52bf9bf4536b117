import { Migration } from '@mikro-orm/migrations';

/** Tells whoever keeps answers about content that they are no longer true. */
export class Migration20261123000001_content_revision extends Migration {
  override up(): void {
    this.addSql(countRevision);
    for (const [table, events] of watched)
      this.addSql(
        `create constraint trigger ${table}_changes_content after ${events} on ${table} deferrable initially deferred
         for each row execute function content_revision_count()`,
      );
    for (const [table, columns] of owners)
      this.addSql(
        `create constraint trigger ${table}_changes_content after update on ${table} deferrable initially deferred
         for each row when ((${listed('old', columns)}) is distinct from (${listed('new', columns)}))
         execute function content_revision_count()`,
      );
  }

  override down(): void {
    for (const [table] of [...watched, ...owners]) this.addSql(`drop trigger ${table}_changes_content on ${table}`);
    this.addSql('drop function content_revision_count');
  }
}

const watched = [
  ['content_item', 'update or delete'],
  ['content_publication', 'insert or update or delete'],
  ['content_view_text', 'insert or update or delete'],
] as const;

/** What decides whether the texts of a product or a category are shown, and by which name a product's are asked for. */
const owners = [
  ['product', ['sku', 'status', 'website_ids']],
  ['category', ['is_active', 'view_words']],
] as const;

const listed = (row: string, columns: readonly string[]) => columns.map((column) => `${row}.${column}`).join(', ');

/**
 * Deferred: the one row is locked last and for no longer than the commit takes, so nobody waits for it who holds what another needs.
 */
const countRevision = `
create function content_revision_count() returns trigger language plpgsql as $$
declare
  this_transaction bigint := pg_current_xact_id()::text::bigint;
begin
  insert into content_revision (revision_id, revision, counted_in) values (1, 1, this_transaction)
  on conflict (revision_id) do update set revision = content_revision.revision + 1, counted_in = this_transaction
    where content_revision.counted_in <> this_transaction;
  return null;
end $$`;
