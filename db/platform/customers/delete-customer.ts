import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../../domain/errors.ts';
import { isStillNeeded } from '../../support/is-still-needed.ts';
import { flag, integer } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { revokeTokens } from '../access/revoke-tokens.ts';
import { Customer } from './customer.entity.ts';

export const notSettled = 'The customer has orders that are not settled and cannot be deleted.';

/**
 * Deletes an account with its addresses, cart, wishes and newsletter, and revokes its tokens; orders and receipts
 * keep its data (platform facts 8). A repeat finds nothing.
 *
 * Refused with: 404 unknown customer · 400 the account has a wallet or points, whose ledgers must stay; 400 an order
 * that owes money, is laid away, or still gives back credit or points.
 */
export async function deleteCustomer(em: EntityManager, { customerId, now }: { customerId: number; now: Date }) {
  try {
    await transact(em, async (tx) => {
      await lockCustomer(tx, customerId);
      await refuseUnsettled(tx, customerId);
      await revokeTokens(tx, { userType: 'customer', userId: customerId, now });
      await removeCustomer(tx, customerId);
    });
  } catch (error) {
    if (isStillNeeded(error)) throw invalid('The customer has store credit or points and cannot be deleted.');
    throw error;
  }
}

/** Who it is, locked until the transaction ends. Refused with 404: an unknown customer. */
export async function lockCustomer(tx: EntityManager, customerId: number) {
  const customer = await lock.first(tx, { customerId });
  if (!customer) throw noSuchEntity('customerId', customerId);
  return customer;
}

/** Deletes the account, in the transaction that locks it. */
export const removeCustomer = (tx: EntityManager, customerId: number): Promise<number> =>
  remove.run(tx, { customerId });

const lock = statement({
  takes: { customerId: integer },
  gives: of(Customer, 'email', 'websiteId'),
  text: 'select email, website_id from customer where id = $customerId for update',
});

const remove = statement({ takes: { customerId: integer }, text: 'delete from customer where id = $customerId' });

/** Refused with 400: an order that owes money, is laid away, or still gives back credit or points. */
export async function refuseUnsettled(tx: EntityManager, customerId: number): Promise<void> {
  const open = await unsettled.first(tx, { customerId });
  if (open?.isSaid) throw invalid(notSettled);
}

/** Whether money, goods or points must still reach the account. */
const unsettled = statement({
  takes: { customerId: integer },
  gives: { isSaid: flag },
  text: `
    select exists (
      select from sales_order
      where customer_id = $customerId and base_total_due > 0 and state <> 'canceled' and state <> 'closed'
    ) or exists (
      select from sales_order
      where customer_id = $customerId and pos_layaway_status in ('open', 'stale')
        and state <> 'canceled' and state <> 'closed'
    ) or exists (
      select from credit_refund r join sales_order o on o.entity_id = r.order_id
      where r.state = 'reserved' and (r.customer_id = $customerId or o.customer_id = $customerId)
    ) or exists (
      select from reward_points_due d join sales_order o on o.entity_id = d.order_id where o.customer_id = $customerId
    ) as is_said`,
});
