import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundedLeg, RefundToTell } from '../../domain/mails/uncertain-refund-letter.ts';
import { zero } from '../../domain/money.ts';
import { notActive } from '../../domain/platform/newsletter.ts';
import { settleMethods } from '../../domain/returns/resolution.ts';
import { readStoreSetting } from '../configuration/read-store-setting.ts';
import { OrderCredit } from '../credits/credit.entity.ts';
import { digestOf } from '../platform/access/token-digest.ts';
import { findRequestedSubscriber, type RequestedSubscriber } from '../platform/newsletter/confirm-subscription.ts';
import { StoreView } from '../platform/stores/store.entity.ts';
import { orNull, text } from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { mailableAddress } from './post-receipt-mail.ts';

/**
 * The content and the address of a refund's mail, read when it is sent. Reads only.
 *
 * @returns undefined without an address, or for the walk-in customer's
 */
export async function readRefundToTell(
  em: EntityManager,
  creditMemoId: number,
): Promise<{ to: string; refund: RefundToTell } | undefined> {
  const row = await selectRefundToTell.first(em, { creditMemoId });
  const to = row && (await mailableAddress(em, { customerEmail: row.customerEmail, storeId: row.storeId }));
  if (!to) return undefined;
  const shopName = await readStoreSetting(em, 'general/store_information/name', row.storeId);
  return {
    to,
    refund: {
      locale: row.locale,
      shopName: shopName === '' ? row.storeName : shopName,
      orderIncrementId: row.orderIncrementId,
      memoIncrementId: row.memoIncrementId,
      method: settleMethods.find((method) => method === row.method) ?? 'original_payment',
      currencyCode: row.currencyCode,
      total: row.total,
      legs: (await legsOf.all(em, { creditMemoId })).map(reportedLeg),
    },
  };
}

const selectRefundToTell = sql('read-refund-to-tell.selectRefundToTell', { gives: { method: orNull(text) } })`
  select o.customer_email, o.increment_id as order_increment_id, m.increment_id as memo_increment_id,
    r.refund_method as method, o.order_currency_code as currency_code, m.grand_total as total, o.store_id,
    v.name as store_name, v.locale
  from sales_creditmemo m
  join sales_order o on o.entity_id = m.order_id
  join store_view v on v.store_id = o.store_id
  left join sale_return r on r.credit_memo_id = m.entity_id
  where m.entity_id = $creditMemoId`;

const legsOf = sql('read-refund-to-tell.legsOf', { gives: of(OrderCredit, 'amount', 'points') })`
  select c.kind, c.applies_as, l.amount, l.points
  from order_credit_return l join order_credit c on c.credit_id = l.credit_id
  where l.credit_memo_id = $creditMemoId order by l.credit_return_id`;

/** Points that were a discount were never money: only their number comes back. */
const reportedLeg = ({ kind, appliesAs, amount: worth, points }: RowFrom<typeof legsOf>): RefundedLeg => ({
  kind,
  amount: appliesAs === 'tender' ? worth : zero,
  points,
});

/** The account that a mail goes to. */
export interface AccountToTell {
  to: string;
  shopName: string;
  /** Of its store view. */
  locale: string;
  /** Null for an account that is active. */
  confirmation: string | null;
}

/** The account of a confirmation's mail, read when it is sent; undefined for one that is gone. Reads only. */
export const readAccountToTell = (em: EntityManager, customerId: number) =>
  selectAccountToTell(em, { customerId, digest: null });

/** The account of a token's mail; undefined for a token that was replaced, used, or came too late. Reads only. */
export const readResetToTell = (em: EntityManager, { customerId, token }: { customerId: number; token: string }) =>
  selectAccountToTell(em, { customerId, digest: digestOf(token) });

async function selectAccountToTell(
  em: EntityManager,
  account: { customerId: number; digest: string | null },
): Promise<AccountToTell | undefined> {
  const found = await selectAccountStore.first(em, account);
  if (!found) return undefined;
  const shopName = await readStoreSetting(em, 'general/store_information/name', found.storeId);
  const { email: to, storeName, locale, confirmation } = found;
  return { to, shopName: shopName === '' ? storeName : shopName, locale, confirmation };
}

const selectAccountStore = sql('read-refund-to-tell.selectAccountStore', {
  gives: { storeName: of(StoreView, 'name').name },
})`
  select c.email, c.store_id, c.confirmation, v.name as store_name, v.locale
  from customer c join store_view v on v.store_id = c.store_id
  where c.id = $customerId and ($digest?::text is null or exists (
    select from customer_password_reset r
    where r.customer_id = c.id and r.digest = $digest and r.expires_at > now()))`;

/** A subscriber who must confirm the newsletter. */
export interface SubscriberToAsk extends RequestedSubscriber {
  shopName: string;
}

/** Undefined for a subscriber who has confirmed or unsubscribed meanwhile. Reads only. */
export async function readSubscriberToAsk(
  em: EntityManager,
  subscriberId: number,
): Promise<SubscriberToAsk | undefined> {
  const request = await findRequestedSubscriber(em, subscriberId);
  if (request?.status !== notActive) return undefined;
  const shopName = await readStoreSetting(em, 'general/store_information/name', request.storeId);
  return { ...request, shopName: shopName === '' ? request.storeName : shopName };
}
