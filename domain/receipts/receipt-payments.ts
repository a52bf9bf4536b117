import { codeLabels } from '../code-labels.ts';
import { settingDefaults } from '../configuration/setting-defaults.ts';
import type { ShopSettings } from '../configuration/shop-settings.ts';
import { amountAt, parseLoosely, quantityAt, rowsOf, isSection, textAt, type Section } from './loose-json.ts';
import { receiptLimits } from './receipt-limits.ts';
import type { ReceiptModel } from './receipt-model.ts';
import type { ReceiptCredit, ReceiptDetail, ReceiptPayment } from './receipt-view.ts';
import type { StoredReceipt } from './stored-receipt.ts';

/** The payments: each part of a split payment, or the single method. */
export function paymentsOf(model: ReceiptModel, receipt: StoredReceipt, settings: ShopSettings): ReceiptPayment[] {
  const { payment } = model;
  const labels = ownLabels(settings);
  const named = (part: Section, method: string | null) => ({
    label: textAt(part, 'label', 'title', 'method_label') ?? labels.get(method ?? '') ?? null,
    method,
  });
  const most = receiptLimits.payments;
  const parts = rowsOf(payment['split_payments'], most) ?? rowsOf(receipt.splitPayments, most) ?? [];
  if (parts.length > 0)
    return parts.map((part) => ({
      ...named(part, textAt(part, 'method', 'payment_method', 'code')),
      amount: amountAt(part, 'amount', 'amount_tendered'),
      details: cardDetails(part),
    }));
  const method = textAt(payment, 'method', 'payment_method') ?? receipt.paymentMethod;
  if (method === null && textAt(payment, 'label', 'title') === null) return [];
  return [
    {
      ...named(payment, method),
      amount: amountAt(payment, 'amount') ?? receipt.amountTendered ?? receipt.layawayAmountCaptured ?? sumOf(receipt),
      details: slipOf(payment['terminal_info'] ?? receipt.terminalInfo, payment),
    },
  ];
}

/** The total, where no credit paid a part. */
const sumOf = (receipt: StoredReceipt) =>
  (rowsOf(receipt.appliedCredits) ?? []).length === 0 ? receipt.grandTotal : null;

const methodsPath = 'vendor_pos_terminal/payments/terminal_methods';
const labelsIn = (text: string) => new Map(codeLabels(text).map(({ code, label }) => [code, label]));
/** Labels of a shop that has named none. */
export const defaultMethodLabels: ReadonlyMap<string, string> = labelsIn(settingDefaults[methodsPath] ?? '');

/** The shop's own labels of methods. A label that was not changed is left to the receipt's language. */
function ownLabels(settings: ShopSettings): ReadonlyMap<string, string> {
  const text = settings.text(methodsPath);
  if (text === settingDefaults[methodsPath]) return new Map();
  return new Map(
    [...labelsIn(text)].filter(([code, label]) => label !== code && label !== defaultMethodLabels.get(code)),
  );
}

/** A code's own letters as words. */
export function inWords(code: string): string {
  const words = code.replaceAll(/[_-]+/g, ' ').trim();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** The card terminal's own lines, or lines made from the card's fields. */
function slipOf(info: unknown, payment: Section): ReceiptDetail[] {
  const parsed = typeof info === 'string' ? (parseLoosely(info) ?? info) : info;
  if (isSection(parsed)) return cardDetails(parsed);
  if (typeof parsed === 'string')
    return parsed
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .slice(0, 20)
      .map((text) => ({ kind: 'line', text }));
  return cardDetails(payment);
}

/** Brand, last digits, approval and application: what a card slip must show, and nothing else of a card. */
function cardDetails(fields: Section): ReceiptDetail[] {
  const brand = textAt(fields, 'card_brand', 'card_type', 'brand', 'scheme');
  const last = /(\d{4})\D*$/.exec(textAt(fields, 'last4', 'card_last4', 'last_four', 'masked_pan') ?? '')?.[1];
  const details: [ReceiptDetail['kind'], string | null][] = [
    ['line', [brand, last === undefined ? undefined : `•••• ${last}`].filter(Boolean).join(' ')],
    ['approval', textAt(fields, 'auth_code', 'authorization_code', 'approval_code')],
    ['application', textAt(fields, 'aid')],
    ['entry', textAt(fields, 'entry_mode', 'entry_method')],
  ];
  return details.flatMap(([kind, text]) => (text ? [{ kind, text }] : []));
}

const creditKinds = { store_credit: 'store_credit', gift_card: 'gift_card', reward_points: 'reward_points' } as const;

/** Credits that paid a part; of a gift card only the end of its code is shown. */
export function creditsOf(model: ReceiptModel, receipt: StoredReceipt): ReceiptCredit[] {
  const most = receiptLimits.credits;
  const listed = rowsOf(model.payment['applied_credits'], most) ?? rowsOf(receipt.appliedCredits, most) ?? [];
  return listed.map((credit) => {
    const kind = textAt(credit, 'type', 'kind', 'credit_type') ?? '';
    const code = textAt(credit, 'code', 'gift_card_code', 'reference');
    return {
      kind: Object.hasOwn(creditKinds, kind) ? creditKinds[kind as keyof typeof creditKinds] : 'other',
      tail: code === null || code.length < 8 ? null : code.slice(-4),
      label: textAt(credit, 'label', 'title'),
      amount: amountAt(credit, 'amount', 'applied_amount'),
      points: quantityAt(credit, 'points'),
    };
  });
}
