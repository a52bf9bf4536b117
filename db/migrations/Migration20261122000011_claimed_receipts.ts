import { Migration } from '@mikro-orm/migrations';

/** What the entities cannot say: one claim per receipt, and whose it is, it stays. */
export class Migration20261122000011_claimed_receipts extends Migration {
  override up(): void {
    this.addSql(staysClaimed);
    this.addSql(
      `create trigger pos_receipt_stays_claimed after update of customer_id, claimed_at, claimed_order_id on pos_receipt
       for each row execute function pos_receipt_stays_claimed()`,
    );
  }

  override down(): void {
    this.addSql('drop trigger pos_receipt_stays_claimed on pos_receipt');
    this.addSql('drop function pos_receipt_stays_claimed');
  }
}

const staysClaimed = `
create function pos_receipt_stays_claimed() returns trigger language plpgsql as $$
begin
  if old.claimed_at is not null and (new.customer_id, new.claimed_at, new.claimed_order_id)
    is distinct from (old.customer_id, old.claimed_at, old.claimed_order_id) then
    raise exception 'receipt % is claimed', old.receipt_id;
  end if;
  return null;
end $$`;
