import { isRunning } from '../../domain/layaways/layaway-status.ts';
import { invoiceStates } from '../../db/platform/invoices/invoice.entity.ts';
import { amountText } from './amount-text.ts';
import { at, pairs } from './json-sql.ts';
import type { InvoiceRow, SaleRows } from './sale-rows.ts';
import { event, type StoryEvent } from './story.ts';
import type { LayawayRow } from './layaway-row.ts';

/** Of an order `o`, as JSON; null when it is no layaway. */
export const layawayRow = `
case when o.pos_layaway_status is not null then json_build_object(${pairs({
  status: 'o.pos_layaway_status',
  balanceOwed: 'o.total_due::text',
  depositAmount: 'o.pos_layaway_deposit_amount::text',
  depositMethod: 'o.pos_layaway_initial_payment_method',
  expiresAt: at('o.pos_layaway_expires_at'),
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
export function layawayFacts({ layaway, creditDue, order }: LayawayParts): string[] {
  const amount = (stored: string) => amountText(stored, order.currency);
  const due = creditDue === null ? [] : [`Sold on credit: ${amount(creditDue)} of it is still due.`];
  if (!layaway) return due;
  const { status, balanceOwed, depositAmount, depositMethod, expiresAt } = layaway;
  const until = expiresAt === null ? '' : `, until ${expiresAt.slice(0, 10)}`;
  const owed = isPaidInFull(layaway)
    ? ': paid in full'
    : `: ${amount(balanceOwed)} owed of ${amount(order.grandTotal)}${until}`;
  const deposit =
    Number(depositAmount ?? 0) === 0 || depositAmount === null
      ? []
      : [`Its deposit was ${amount(depositAmount)}${depositMethod === null ? '' : `, by ${depositMethod}`}.`];
  return [`A layaway, ${status.replaceAll('_', ' ')}${status === 'cancelled' ? '' : owed}.`, ...deposit, ...due];
}

/** The cancellation: the fee, the cash handed back, the reason. The legs of credits have events of their own. */
export function layawayEvents({ layaway, order, memos }: SaleRows): StoryEvent[] {
  const cancelled = layaway?.cancellation;
  if (!cancelled) return [];
  const amount = (stored: string) => amountText(stored, order.currency);
  const memo = memos.find(({ creditMemoId }) => creditMemoId === cancelled.creditMemoId);
  const kept =
    Number(cancelled.fee) === 0
      ? 'nothing was kept'
      : `${amount(cancelled.fee)} was kept (${percentText(cancelled.feePercent)} %)`;
  const how = cancelled.refundMethod === null ? '' : ` by ${cancelled.refundMethod}`;
  const because = cancelled.reason ? ` Said: "${cancelled.reason}"` : '';
  return [
    event({
      at: cancelled.at,
      what: `The layaway was cancelled${memo ? ` with credit memo ${memo.incrementId}` : ''}: ${kept}, to be handed back${how} was the rest.${because}`,
      amount: amount(cancelled.refund),
      workflow: `layaway-${order.orderId}`,
    }),
  ];
}

/** What can be done about a layaway, and about credit due. */
export function waysOnForLayaway({ layaway, creditDue, order, invoices }: LayawayParts): string[] {
  const amount = (stored: string) => amountText(stored, order.currency);
  const ways: string[] = [];
  if (layaway && isRunning(layaway.status) && !isPaidInFull(layaway)) {
    ways.push(
      `Take a payment, ${amount(layaway.balanceOwed)} is owed: POST /V1/pos/layaways/${order.orderId}/payments.`,
      `Cancel it, with a fee or without: POST /V1/pos/layaways/${order.orderId}/cancel.`,
    );
    if (layaway.followedAt === null)
      ways.push('No workflow follows it yet: the hourly sweep or the next payment starts one.');
  }
  if (layaway && isPaidInFull(layaway))
    ways.push(
      ...openInvoices({ invoices }).map(
        ({ invoiceId }) => `Settle it: its open invoice is paid by POST /V1/invoices/${invoiceId}/capture.`,
      ),
    );
  if (creditDue !== null && Number(creditDue) > 0)
    ways.push(`Collect what is due, ${amount(creditDue)}: POST /V1/pos/orders/${order.orderId}/due-payments.`);
  return ways;
}

/** Unpaid invoices: no other invoice can collect the same money. */
export const openInvoices = ({ invoices }: Pick<SaleRows, 'invoices'>): InvoiceRow[] =>
  invoices.filter(({ state }) => state === invoiceStates.open);

/** The balance decides, not the status: collecting credit due pays a layaway without its own verbs (spec 4.6). */
const isPaidInFull = ({ balanceOwed, status }: LayawayRow): boolean =>
  status === 'ready_to_settle' || (isRunning(status) && Number(balanceOwed) === 0);

type LayawayParts = Pick<SaleRows, 'layaway' | 'creditDue' | 'order' | 'invoices'>;

/** `20.0000` → `20` */
const percentText = (stored: string) => String(Number(stored));
