import { Migration } from '@mikro-orm/migrations';

/** What may be written of a receipt again. */
const frozen = (erasing: string) => `
create or replace function pos_receipt_frozen() returns trigger language plpgsql as $$
declare free text[] := array['token_digest', 'sealed_token', 'order_increment_id', 'customer_id', 'claimed_at', 'claimed_order_id',
    'updated_at'];
begin${erasing}
  if to_jsonb(new) - free is distinct from to_jsonb(old) - free then
    raise exception 'receipt % is frozen', old.receipt_id;
  end if;
  return null;
end $$`;

/** Its figures stay frozen. */
const erasing = `
  if current_setting('pos.erases_names', true) = 'yes' then
    free := free || array['customer_name', 'customer_email', 'raw_payload', 'receipt_model', 'ship_to_shipments', 'backorder_shipments'];
  end if;`;

/** A receipt is what the customer holds; whoever asks to be forgotten is taken out of it (`db/customers/erase-customer.ts`). */
export class Migration20261127000001_erased_receipts extends Migration {
  override up(): void {
    this.addSql(frozen(erasing));
  }

  override down(): void {
    this.addSql(frozen(''));
  }
}
