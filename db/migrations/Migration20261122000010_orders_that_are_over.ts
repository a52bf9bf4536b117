import { Migration } from '@mikro-orm/migrations';

/**
 * An order that is over takes no more money, and a cancelled one stays cancelled: `refuseMoneyIn` and `refuseReopening`
 * say so to people, the database holds it against everything else.
 */
export class Migration20261122000010_orders_that_are_over extends Migration {
  override up(): void {
    for (const [name, says, when] of guards) {
      this.addSql(
        `create function ${name}() returns trigger language plpgsql as $$ begin raise exception '${says}'; end $$`,
      );
      this.addSql(
        `create trigger ${name} before update on sales_order for each row when (${when}) execute function ${name}()`,
      );
    }
  }

  override down(): void {
    for (const [name] of guards) {
      this.addSql(`drop trigger ${name} on sales_order`);
      this.addSql(`drop function ${name}`);
    }
  }
}

const guards = [
  [
    'sales_order_over_takes_no_money',
    'an order that is over takes no more money',
    `(new.total_paid > old.total_paid or new.base_total_paid > old.base_total_paid)
      and (new.state in ('canceled', 'closed') or new.pos_layaway_status = 'cancelled')`,
  ],
  [
    'sales_order_stays_cancelled',
    'a cancelled order stays cancelled',
    `old.state = 'canceled' and new.state <> 'canceled'`,
  ],
] as const;
