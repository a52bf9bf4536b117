import { invoiceStates } from '../../db/platform/invoices/invoice.entity.ts';
import { isRunning } from '../../domain/layaways.ts';
import { at, pairs } from './json-sql.ts';
import { event, type StoryEvent, type Way } from './story.ts';
import type { InvoiceRow, LayawayRow, SaleReported } from './sale-rows.ts';

/** Of an order `o`, as JSON; null when it is no layaway. */
export const layawayRow = `
case when o.pos_layaway_status is not null then json_build_object(${pairs({
  status: 'o.pos_layaway_status',
  balanceOwed: 'o.total_due::text',
  depositAmount: 'o.pos_layaway_deposit_amount::text',
  depositMethod: 'o.pos_layaway_initial_payment_method',
  expiresAt: at('o.pos_layaway_expires_at'),
  lastDay: `(select to_char(o.pos_layaway_expires_at at time zone z.time_zone, 'YYYY-MM-DD')
    from store_view v join website z on z.website_id = v.website_id where v.store_id = o.store_id)`,
  followedAt: at('o.pos_layaway_followed_at'),
  cancellation: `(select json_build_object(${pairs({
    feePercent: 'l.fee_percent::text',
    fee: 'l.fee::text',
    refund: 'l.refund::text',
    refundMethod: 'l.refund_method',
    reason: 'l.reason',
    creditMemoId: 'l.credit_memo_id',
    at: at('l.created_at'),
  })}) from layaway_cancellation l where l.order_id = o.entity_id)`,
})}) end`;

/** How much of the credit granted is still due, as JSON; null when no credit was granted. */
export const creditDueText = 'o.pos_credit_due::text';

/**
 * The state in words: `A layaway, open: 68.00 USD owed of 108.00 USD, until 2026-12-21.`, or that it is paid in full;
 * and the credit due.
 */
export function layawayFacts({ layaway, creditDue, order, w }: LayawayParts): string[] {
  const amount = (stored: string) => w.amount(stored, order.currency);
  const due = creditDue === null ? [] : [w.creditDue(amount(creditDue))];
  if (!layaway) return due;
  const { status, balanceOwed, depositAmount, depositMethod, expiresAt, lastDay } = layaway;
  const owed = isPaidInFull(layaway)
    ? w.layawayPaid
    : w.layawayOwed(
        amount(balanceOwed),
        amount(order.grandTotal),
        expiresAt === null ? null : (lastDay ?? w.day(expiresAt)),
      );
  const deposit =
    Number(depositAmount ?? 0) === 0 || depositAmount === null
      ? []
      : [w.layawayDeposit(amount(depositAmount), depositMethod === null ? null : w.method(depositMethod))];
  return [w.layaway(status, status === 'cancelled' ? '' : owed), ...deposit, ...due];
}

/** The cancellation: the fee, the cash handed back, the reason. The legs of credits have events of their own. */
export function layawayEvents({ layaway, order, memos, w }: SaleReported): StoryEvent[] {
  const cancelled = layaway?.cancellation;
  if (!cancelled) return [];
  const amount = (stored: string) => w.amount(stored, order.currency);
  const memo = memos.find(({ creditMemoId }) => creditMemoId === cancelled.creditMemoId);
  return [
    event({
      at: cancelled.at,
      what: w.layawayCancelled({
        memo: memo?.incrementId,
        fee: Number(cancelled.fee) === 0 ? null : amount(cancelled.fee),
        percent: percentText(cancelled.feePercent),
        method: cancelled.refundMethod === null ? null : w.method(cancelled.refundMethod),
        reason: cancelled.reason,
      }),
      amount: amount(cancelled.refund),
      workflow: `layaway-${order.orderId}`,
    }),
  ];
}

/** What can be done about a layaway, and about credit due. */
export function waysOnForLayaway({ layaway, creditDue, order, invoices, w }: LayawayParts): Way[] {
  const amount = (stored: string) => w.amount(stored, order.currency);
  const ways: Way[] = [];
  if (layaway && isRunning(layaway.status) && !isPaidInFull(layaway)) {
    ways.push(w.ways.payLayaway(order.orderId, amount(layaway.balanceOwed)), w.ways.cancelLayaway(order.orderId));
    if (layaway.followedAt === null) ways.push(w.ways.notFollowed);
  }
  if (layaway && isPaidInFull(layaway))
    ways.push(...openInvoices({ invoices }).map(({ invoiceId }) => w.ways.settleLayaway(invoiceId)));
  if (creditDue !== null && Number(creditDue) > 0) ways.push(w.ways.collectDue(order.orderId, amount(creditDue)));
  return ways;
}

/** Unpaid invoices: no other invoice can collect the same money. */
export const openInvoices = ({ invoices }: Pick<SaleReported, 'invoices'>): InvoiceRow[] =>
  invoices.filter(({ state }) => state === invoiceStates.open);

/** The balance decides, not the status: collecting credit due pays a layaway without its own verbs (spec 4.6). */
const isPaidInFull = ({ balanceOwed, status }: LayawayRow): boolean =>
  status === 'ready_to_settle' || (isRunning(status) && Number(balanceOwed) === 0);

type LayawayParts = Pick<SaleReported, 'layaway' | 'creditDue' | 'order' | 'invoices' | 'w'>;

/** `20.0000` → `20` */
const percentText = (stored: string) => String(Number(stored));
