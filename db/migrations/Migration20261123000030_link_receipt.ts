import { Migration } from '@mikro-orm/migrations';

/**
 * The link of a receipt to its order in one round trip. The block with its handler is the savepoint: what fails in it is
 * undone alone, and the order is saved all the same. The update sees a receipt that was committed while the lock was
 * waited for, because every statement of the function looks anew.
 */
export class Migration20261123000030_link_receipt extends Migration {
  override up(): void {
    this.addSql(`
create function pos_link_receipt(sale text, order_number text) returns text language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('sale ' || sale, 0));
  update pos_receipt set order_increment_id = order_number, updated_at = now()
  where pos_order_id = sale and order_increment_id is null;
  return null;
exception when others or query_canceled then
  return sqlstate || ' ' || sqlerrm;
end $$`);
  }

  override down(): void {
    this.addSql(`drop function pos_link_receipt(text, text)`);
  }
}
