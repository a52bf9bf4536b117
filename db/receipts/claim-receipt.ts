import type { EntityManager } from '@mikro-orm/postgresql';
import { conflict } from '../../domain/errors.ts';
import { decideClaim } from '../../domain/receipts/claim.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { lockOrderRow } from '../platform/orders/lock-order-row.ts';
import { integer, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { findOrderToClaim, unknownReceipt } from './find-claimable.ts';
import { Receipt } from './receipt.entity.ts';

/** A customer who claims a receipt. The account belongs to the order's website. */
export interface Claim {
  tokenDigest: string;
  customerId: number;
}

/**
 * Puts a receipt, and its order, into a customer's account (spec 4.9).
 *
 * Both are read again under the order's lock and written in one transaction. Of many claims at once, one wins. A repeat
 * by the winner is refused with `receipt_yours`. Other receipts of the order stay unclaimed; only the same account can
 * claim them.
 *
 * Refused with: 404 unknown token · 409 `receipt_without_order`, `receipt_of_several_orders`, `receipt_claimed`,
 * `receipt_yours`.
 *
 * @returns the receipt's id
 */
export async function claimReceipt(em: EntityManager, { tokenDigest, customerId }: Claim): Promise<number> {
  const order = await findOrderToClaim(em, tokenDigest);
  return transact(em, async (tx) => {
    const { orderId, status, customerId: orderCustomerId } = await lockOrderRow(tx, order.orderId);
    const receipt = await reread.first(tx, { tokenDigest });
    if (!receipt) throw unknownReceipt();
    const { receiptId, customerId: claimedBy } = receipt;
    const decision = decideClaim({ customerId, claimedBy, orderCustomerId });
    if (decision !== 'claim') throw decision === 'yours' ? alreadyYours() : alreadyClaimed();

    await take.run(tx, { receiptId, customerId, orderId });
    if (orderCustomerId === null) {
      await giveOrder.run(tx, { orderId, customerId });
      const comment = `Receipt ${receiptId} was claimed by customer ${customerId}.`;
      await addOrderComment(tx, { orderId, comment, status });
    }
    return receiptId;
  });
}

/** 409 for a receipt of another customer. It does not say whether a claim or the order made that customer its owner. */
export const alreadyClaimed = () => conflict('receipt_claimed', 'This receipt has already been claimed.');

const alreadyYours = () => conflict('receipt_yours', 'This receipt is already in your account.');

/** The token may have been replaced meanwhile. Then the old token no longer claims the receipt. */
const reread = statement({
  takes: { tokenDigest: text },
  gives: of(Receipt, 'receiptId', 'customerId'),
  text: 'select receipt_id, customer_id from pos_receipt where token_digest = $tokenDigest for update',
});

const take = statement({
  takes: { receiptId: integer, customerId: integer, orderId: integer },
  text: `
    update pos_receipt
    set customer_id = $customerId, claimed_order_id = $orderId, claimed_at = now(), updated_at = now()
    where receipt_id = $receiptId`,
});

/** Names and email that the register wrote stay. */
const giveOrder = statement({
  takes: { orderId: integer, customerId: integer },
  text: `
    update sales_order o set customer_id = c.id, customer_is_guest = false, updated_at = now(),
      customer_email = coalesce(o.customer_email, c.email),
      customer_firstname = coalesce(o.customer_firstname, c.firstname),
      customer_lastname = coalesce(o.customer_lastname, c.lastname)
    from customer c where o.entity_id = $orderId and c.id = $customerId`,
});
