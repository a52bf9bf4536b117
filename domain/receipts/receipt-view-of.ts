import { amountAt, momentAt, textAt } from './loose-json.ts';
import { creditsOf, paymentsOf } from './receipt-payments.ts';
import { fiscalOf } from './receipt-fiscal.ts';
import { itemsOf } from './receipt-items.ts';
import { readReceiptModel, type ReceiptModel } from './receipt-model.ts';
import { receiptPath } from './receipt-path.ts';
import { settingsHere, shopOf, type SettingsHere } from './receipt-shop.ts';
import { shipmentsOf } from './receipt-shipments.ts';
import { totalsOf } from './receipt-totals.ts';
import type { ReceiptFacts, ReceiptKind, ReceiptLayaway, ReceiptRefund, ReceiptView } from './receipt-view.ts';
import { staffNameAs } from './staff-name-as.ts';
import type { ReceiptParts, StoredReceipt } from './stored-receipt.ts';

/** The most lines a receipt shows. */
export const mostLines = 500;

/**
 * All that a receipt shows. Each field comes from its document where this server can read it, else from its column.
 * The order's number and the shop's present data come from the server (spec 2.14, 4.9).
 */
export function receiptViewOf(parts: ReceiptParts): ReceiptView {
  const { receipt, settings, token } = parts;
  const model = readReceiptModel(receipt.receiptModel);
  const here = settingsHere(parts);
  const items = itemsOf(model, parts.items, parts.entered);
  const pageUrl = parts.publicBaseUrl === undefined ? null : `${parts.publicBaseUrl}${receiptPath(token)}`;
  return {
    receiptId: receipt.receiptId,
    token,
    pageUrl,
    kind: kindOf(receipt),
    locale: parts.locale,
    timeZone: parts.timeZone,
    currency: textAt(model.root, 'currency_code') ?? receipt.currency,
    shop: shopOf(parts, here),
    facts: factsOf(parts, model, here),
    items: items.slice(0, mostLines),
    itemsLeftOut: Math.max(0, items.length - mostLines),
    totals: totalsOf(model, receipt),
    payments: paymentsOf(model, receipt, settings),
    amountTendered: amountAt(model.payment, 'amount_tendered') ?? receipt.amountTendered,
    changeDue: amountAt(model.payment, 'change_due') ?? receipt.changeDue,
    credits: creditsOf(model, receipt),
    pointsEarned: amountAt(model.root, 'points_earned') ?? receipt.pointsEarned,
    shipments: shipmentsOf(model, receipt),
    layaway: layawayOf(model, receipt),
    refund: refundOf(model, receipt),
    fiscal: fiscalOf(model),
    code: codeOf(here, pageUrl, token),
    isClaimed: receipt.claimedAt !== null,
  };
}

const kindOf = ({ layawayKind, saleType }: StoredReceipt): ReceiptKind => layawayKind ?? saleType ?? 'sale';

function factsOf({ receipt, place }: ReceiptParts, { header }: ReceiptModel, here: SettingsHere): ReceiptFacts {
  const staffName = textAt(header, 'staff_name', 'cashier') ?? receipt.staffName;
  return {
    createdAt: momentAt(header, 'created_at', 'date') ?? receipt.createdAt,
    receiptNumber: here.shows('receipt_number') ? (textAt(header, 'receipt_number') ?? receipt.receiptNumber) : null,
    // The order is linked after the document was made, so the column is newer.
    orderNumber: here.shows('order_number')
      ? (receipt.orderIncrementId ?? textAt(header, 'order_increment_id', 'order_number'))
      : null,
    originalOrderNumber: textAt(header, 'original_order_increment_id') ?? receipt.originalOrderIncrementId,
    saleReference: here.shows('sale_reference') ? receipt.posOrderId : null,
    staffName: here.shows('staff_name') ? staffNameAs(staffName, place?.staff_name_format ?? null) : null,
    terminalName: textAt(header, 'terminal_name') ?? receipt.terminalName,
    customerName: textAt(header, 'customer_name') ?? receipt.customerName,
  };
}

function layawayOf({ layaway }: ReceiptModel, receipt: StoredReceipt): ReceiptLayaway | null {
  if (receipt.layawayKind === null) return null;
  return {
    captured: amountAt(layaway, 'amount_captured', 'amount_paid', 'amount') ?? receipt.layawayAmountCaptured,
    totalPaid: amountAt(layaway, 'total_paid') ?? receipt.layawayTotalPaid,
    balanceOwed: amountAt(layaway, 'balance_owed', 'balance_due', 'remaining_due') ?? receipt.layawayBalanceOwed,
    expiresAt: momentAt(layaway, 'expires_at') ?? receipt.layawayExpiresAt,
  };
}

function refundOf({ refund }: ReceiptModel, receipt: StoredReceipt): ReceiptRefund | null {
  if (receipt.saleType === null) return null;
  return {
    shippingRefund: amountAt(refund, 'shipping_refund') ?? receipt.shippingRefund,
    adjustmentPositive: amountAt(refund, 'adjustment_positive') ?? receipt.adjustmentPositive,
    adjustmentNegative: amountAt(refund, 'adjustment_negative') ?? receipt.adjustmentNegative,
    methodLabel: textAt(refund, 'method_label'),
    method: textAt(refund, 'method', 'refund_method'),
    reason: textAt(refund, 'reason'),
  };
}

/** The merchant's own address with `{token}` in it, else the public page. Only http and https addresses are used. */
function codeOf(here: SettingsHere, pageUrl: string | null, token: string): ReceiptView['code'] {
  const own = here.text('receipt_qr_url').trim();
  const url = own === '' ? pageUrl : own.replaceAll('{token}', token);
  if (url === null || !/^https?:\/\/[^\s]+$/i.test(url) || url.length > 1_000) return null;
  return { url, text: here.text('receipt_qr_text').trim() || null };
}
