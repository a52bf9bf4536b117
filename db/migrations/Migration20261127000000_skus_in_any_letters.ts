import { Migration } from '@mikro-orm/migrations';

/** SKUs that differ in the case of letters, or in how letters are composed, are one product: a list of those that are there. */
const refuse = (rows: string, sentence: string) => `
  do $$
  declare twice text;
  begin
    select string_agg(g.skus, '; ') into twice from (${rows} limit 50) g;
    if twice is not null then raise exception '${sentence} %', twice; end if;
  end $$`;

const key = 'lower(normalize(sku))';

/** A database from before it refuses what became one product; the first migration makes the same indexes. */
export class Migration20261127000000_skus_in_any_letters extends Migration {
  override up(): void {
    this.addSql(
      refuse(
        `select string_agg(sku, ' and ' order by entity_id) as skus from product
         group by ${key} having count(*) > 1 order by min(entity_id)`,
        'Products whose SKUs differ only in the case or the composition of letters would become one. Delete one of each:',
      ),
    );
    this.addSql(
      refuse(
        `select concat('customer ', customer_id, ': ', string_agg(sku, ' and ' order by contract_price_id)) as skus
         from pos_contract_price group by customer_id, website_id, qty, ${key} having count(*) > 1
         order by min(contract_price_id)`,
        'Contract prices of SKUs that differ only in the case or the composition of letters would become one. End one of each:',
      ),
    );
    this.addSql(`create unique index if not exists "product_sku_once" on "product" (lower(normalize("sku")))`);
    // Of before it has the letters as they are: another definition under the same name.
    this.addSql(`alter table "pos_contract_price" drop constraint if exists "pos_contract_price_once"`);
    this.addSql(
      `create unique index if not exists "pos_contract_price_once" on "pos_contract_price" ("customer_id", "website_id", lower(normalize("sku")), "qty")`,
    );
  }

  /** The indexes go with their tables. */
  override down(): void {}
}
