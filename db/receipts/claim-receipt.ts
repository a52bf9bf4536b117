import type { EntityManager } from '@mikro-orm/postgresql';
import { erasedTail } from '../../domain/customers.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { decideClaim } from '../../domain/receipts/claim.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { lockOrderRow } from '../platform/orders/lock-order-row.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';

/** The order that a claim puts into an account. */
export interface OrderToClaim {
  orderId: number;
  websiteId: number;
}

/**
 * Finds the order of the receipt with a token: the order with the receipt's number, or for a refund the refunded order.
 *
 * When several stores have an order with that number, the best match wins: the order of the same sale; then the order
 * of the receipt's return or credit memo; then one of the location's store view; then one of the location's website. If
 * two match equally well, the claim is refused.
 *
 * Refused with: 404 unknown token · 409 `receipt_without_order`, `receipt_of_several_orders`.
 */
export async function findOrderToClaim(em: EntityManager, tokenDigest: string): Promise<OrderToClaim> {
  const found = await selectReceipt.first(em, { tokenDigest });
  if (!found) throw unknownReceipt();
  const { orderId, websiteId, asGood } = found;
  if (orderId === null || websiteId === null) throw withoutOrder();
  if (asGood !== null && asGood > 1) throw ofSeveralOrders();
  return { orderId, websiteId };
}

/** The order is not placed yet, so there is nothing to put into an account. */
const withoutOrder = () =>
  conflict('receipt_without_order', 'This purchase is still being booked. Please try again later.');

const ofSeveralOrders = () =>
  conflict('receipt_of_several_orders', 'More than one purchase has the number of this receipt. Please ask the shop.');

/** 404 for a token that no receipt has. The message does not repeat the token, because logs must not contain it. */
const unknownReceipt = () => notFound('The receipt does not exist.');

/** The number of the order that a receipt `r` belongs to. A refund has no order of its own. */
const orderNumberOf = `coalesce(r.order_increment_id,
  case when r.sale_type = 'refund' then r.original_order_increment_id end)`;

const selectReceipt = sql('claim-receipt.selectReceipt')`
  select placed.order_id, placed.website_id, placed.as_good
  from pos_receipt r left join pos_location l on l.location_id = r.location_id
  left join lateral (
    select o.entity_id as order_id, v.website_id, count(*) over (partition by fit.closeness) as as_good
    from sales_order o join store_view v on v.store_id = o.store_id
    cross join lateral (
      select case
        when o.pos_sale_id = r.pos_order_id then 4
        when exists (select from sale_return s where s.return_id = r.rma_id and s.order_id = o.entity_id)
          or exists (select from sales_creditmemo m where m.entity_id = r.credit_memo_id and m.order_id = o.entity_id)
          then 3
        when o.store_id = l.store_view_id then 2
        when v.website_id = l.website_id then 1
        else 0
      end as closeness
    ) fit
    where o.increment_id = ${orderNumberOf}
    order by fit.closeness desc, o.entity_id limit 1
  ) placed on true
  where r.token_digest = $tokenDigest`;

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
const reread = sql('claim-receipt.reread')`
  select receipt_id, customer_id from pos_receipt where token_digest = $tokenDigest for update`;

const take = sql('claim-receipt.take')`
  update pos_receipt
  set customer_id = $customerId, claimed_order_id = $orderId, claimed_at = now(), updated_at = now()
  where receipt_id = $receiptId`;

/** Names and email that the register wrote stay; an erased person's address makes way. */
const giveOrder = sql('claim-receipt.giveOrder')`
  update sales_order o set customer_id = c.id, customer_is_guest = false, updated_at = now(),
    customer_email = case when o.customer_email is null or o.customer_email like '%${erasedTail}' then c.email
      else o.customer_email end,
    customer_firstname = coalesce(o.customer_firstname, c.firstname),
    customer_lastname = coalesce(o.customer_lastname, c.lastname)
  from customer c where o.entity_id = $orderId and c.id = $customerId`;
