import { Migration } from '@mikro-orm/migrations';

/**
 * Totals of lists are kept by triggers: a row of `pos_list_count` for each statement that adds or takes rows, and two for
 * a row whose counted columns change. Nobody waits for anybody: rows are only added.
 */
export class Migration20261123000020_list_counts extends Migration {
  override up(): void {
    for (const [table, columns] of Object.entries(counted)) {
      const names = columns.map((column) => `, ${column}`).join('');
      const by = columns.length === 0 ? '' : `group by ${columns.join(', ')}`;
      const add = (from: string, count: string) =>
        `insert into pos_list_count (list${names}, counted) select '${table}'${names}, ${count} from ${from} ${by}`;
      // Who sells meanwhile waits: else a sale between the first count and the trigger would never be counted.
      this.addSql(`lock table ${table} in share row exclusive mode`);
      this.addSql(`${add(table, 'count(*)')} having count(*) <> 0`);
      this.addSql(`
create function ${table}_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then ${add('added', 'count(*)')} having count(*) <> 0;
  elsif tg_op = 'DELETE' then ${add('taken', '-count(*)')} having count(*) <> 0;
  elsif tg_op = 'TRUNCATE' then delete from pos_list_count where list = '${table}';
  end if;
  return null;
end $$`);
      this.addSql(
        `create trigger ${table}_counted_in after insert on ${table} referencing new table as added
         for each statement execute function ${table}_counted()`,
      );
      this.addSql(
        `create trigger ${table}_counted_out after delete on ${table} referencing old table as taken
         for each statement execute function ${table}_counted()`,
      );
      this.addSql(
        `create trigger ${table}_counted_gone after truncate on ${table}
         for each statement execute function ${table}_counted()`,
      );
      if (columns.length === 0) continue;
      const valuesOf = (row: string) => columns.map((column) => `, ${row}.${column}`).join('');
      this.addSql(`
create function ${table}_recounted() returns trigger language plpgsql as $$
begin
  insert into pos_list_count (list${names}, counted)
  values ('${table}'${valuesOf('old')}, -1), ('${table}'${valuesOf('new')}, 1);
  return null;
end $$`);
      const differs = columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');
      this.addSql(
        `create trigger ${table}_recounted after update on ${table}
         for each row when (${differs}) execute function ${table}_recounted()`,
      );
    }
  }

  override down(): void {
    for (const [table, columns] of Object.entries(counted)) {
      for (const suffix of ['in', 'out', 'gone']) this.addSql(`drop trigger ${table}_counted_${suffix} on ${table}`);
      this.addSql(`drop function ${table}_counted`);
      if (columns.length === 0) continue;
      this.addSql(`drop trigger ${table}_recounted on ${table}`);
      this.addSql(`drop function ${table}_recounted`);
    }
    this.addSql('delete from pos_list_count');
  }
}

/** The columns that each list is counted by: few values each. */
const counted: Readonly<Record<string, readonly string[]>> = {
  sales_order: ['store_id', 'state', 'status'],
  sales_order_item: [],
  sales_invoice: ['store_id', 'state'],
  sales_shipment: ['store_id'],
  sales_creditmemo: ['store_id', 'state'],
  sales_payment_transaction: [],
  customer: ['website_id', 'store_id', 'group_id'],
  product: ['type_id', 'attribute_set_id', 'visibility', 'status', 'tax_class_id', 'website_ids'],
  inventory_source_item: ['source_code', 'status'],
  sale_return: ['status'],
  sales_coupon: [],
  bulk_operation: ['status'],
};
