import { z } from 'zod';
import { orderIds, orderIntegers, orderMoney, orderTexts } from '../../../db/platform/orders/order-columns.ts';
import { orderItemMoney, paymentMoney, paymentTexts } from '../../../db/platform/orders/order-parts.entity.ts';
import type { PostedLine, PostedOrder } from '../../../db/platform/orders/posted-order.ts';
import { basePrefixed } from '../../../db/support/columns.ts';
import { toWire } from '../../../domain/money.ts';
import { orderStates } from '../../../domain/platform/order-state.ts';
import { eachOf, inSnakeCase, wireRecord, without } from '../../wire/rows.ts';
import {
  currencyCode,
  documentNumber,
  flag,
  growing,
  integer,
  payload,
  percent,
  quantity,
  reference,
  quantityThat,
  rate,
  recordId,
  stockDate,
  money,
  storedMoney,
  text,
} from '../../wire/schemas.ts';
import { addressPayload } from './save-order-address.ts';

/** As long as a product's description may be. */
const maxText = 65_535;

/** The name of the parent line: its quote item, or its sku. */
const parentItem = growing({ quoteItemId: recordId.optional(), sku: text(255).optional() });

/** Fields that only the server sets, and unused columns of the platform's line, which clients send as null: ignored. */
const readOver = [
  'orderId',
  'parentItemId',
  'createdAt',
  'updatedAt',
  'baseTaxBeforeDiscount',
  'taxBeforeDiscount',
  'eventId',
  'extOrderItemId',
  'gwId',
  'gwBasePrice',
  'gwPrice',
  'gwBaseTaxAmount',
  'gwTaxAmount',
  'gwBasePriceInvoiced',
  'gwPriceInvoiced',
  'gwBaseTaxAmountInvoiced',
  'gwTaxAmountInvoiced',
  'gwBasePriceRefunded',
  'gwPriceRefunded',
  'gwBaseTaxAmountRefunded',
  'gwTaxAmountRefunded',
] as const;

/** A line of an order that a caller sends (platform facts 5.1). */
const orderLinePayload = payload({
  itemId: recordId.optional(),
  sku: text(255).optional(),
  name: text(255).optional(),
  productId: recordId.optional(),
  productType: text(32).optional(),
  storeId: recordId.optional(),
  qtyOrdered: quantityThat((qty) => qty > 0).optional(),
  ...eachOf(
    ['qtyInvoiced', 'qtyShipped', 'qtyRefunded', 'qtyCanceled', 'qtyBackordered', 'qtyReturned'],
    quantity.optional(),
  ),
  ...eachOf([...orderItemMoney, ...basePrefixed(...orderItemMoney)], storedMoney.optional()),
  ...eachOf(
    [
      'weeeTaxAppliedRowAmount',
      'baseWeeeTaxAppliedRowAmnt',
      'priceInclTax',
      'basePriceInclTax',
      'rowTotalInclTax',
      'baseRowTotalInclTax',
      'cost',
      'baseCost',
    ],
    storedMoney.optional(),
  ),
  taxPercent: percent.optional(),
  discountPercent: percent.optional(),
  weeeTaxApplied: text(maxText).optional(),
  isVirtual: flag.optional(),
  isQtyDecimal: flag.optional(),
  ...eachOf(['noDiscount', 'freeShipping', 'lockedDoInvoice', 'lockedDoShip'], integer.optional()),
  quoteItemId: recordId.optional(),
  ...eachOf(['weight', 'rowWeight'], quantity.optional()),
  ...eachOf(['description', 'appliedRuleIds', 'additionalData'], text(maxText).optional()),
  productOption: wireRecord.optional(),
  extensionAttributes: wireRecord.optional(),
  parentItem: parentItem.optional(),
  ...eachOf(readOver, z.unknown().optional()),
}).meta({ id: 'OrderItem' });

type OrderLine = z.output<typeof orderLinePayload>;

/** Translates the request into the platform's terms. */
const toPostedLines = (lines: readonly OrderLine[]): PostedLine[] => lines.map(toPostedLine);

function toPostedLine(line: OrderLine, at: number, lines: readonly OrderLine[]): PostedLine {
  const own = without(line, readOver);
  if (!own.parentItem) return own;
  const { parentItem: parent, ...posted } = own;
  const isParent = (one: OrderLine, index: number) =>
    index !== at &&
    one.parentItem === undefined &&
    (parent.quoteItemId === undefined ? one.sku === parent.sku : one.quoteItemId === parent.quoteItemId);
  const parentAt = lines.findIndex(isParent);
  return parentAt < 0 ? posted : { ...posted, parentAt };
}

/** More values than any gateway sends. */
const maxInformation = 200;

/** A list is stored under its positions, as on the platform; a nested value as JSON. */
const additionalInformation = z
  .union([z.array(z.unknown()).max(maxInformation), z.record(z.string(), z.unknown())])
  .transform((input) => Object.fromEntries(Object.entries(input)));

/** Unused columns of the platform's payment are ignored; card data must not be stored (platform facts 5.2). */
const paymentPayloadReadOver = [
  'entityId',
  'parentId',
  'quotePaymentId',
  'additionalData',
  'addressStatus',
  'baseAmountPaidOnline',
  'baseAmountRefundedOnline',
  'ccApproval',
  'ccAvsStatus',
  'ccCidStatus',
  'ccExpMonth',
  'ccExpYear',
  'ccSsStartMonth',
  'ccSsStartYear',
  'ccStatus',
  'ccStatusDescription',
  'ccDebugRequestBody',
  'ccDebugResponseBody',
  'ccDebugResponseSerialized',
  'ccNumberEnc',
  'ccSecureVerify',
  'ccSsIssue',
  'anetTransMethod',
  'echeckAccountName',
  'echeckAccountType',
  'echeckBankName',
  'echeckRoutingNumber',
  'echeckType',
  'protectionEligibility',
  'extensionAttributes',
] as const;

/** An order's payment that a caller sends. */
const paymentPayload = payload({
  method: text(128).optional(),
  ...eachOf([...paymentMoney, ...basePrefixed(...paymentMoney)], storedMoney.optional()),
  ...eachOf(paymentTexts, text(255).optional()),
  // The processor knows the payment by it.
  lastTransId: reference(255).optional(),
  additionalInformation: additionalInformation.optional(),
  ...eachOf(paymentPayloadReadOver, z.unknown().optional()),
})
  .transform((input) => without(input, paymentPayloadReadOver))
  .meta({ id: 'OrderPayment' });

/** More lines than any till sells at once; the body has a separate limit. */
const maxRows = 1_000;

const rows = z
  .array(z.unknown())
  .max(maxRows)
  .transform((input) => input.map(inSnakeCase));

const shippingAssignment = payload({
  shipping: payload({
    address: addressPayload.optional(),
    method: text(255).optional(),
    total: z.unknown().optional(),
    extensionAttributes: z.unknown().optional(),
  }).optional(),
  items: z.unknown().optional(),
  stockId: z.unknown().optional(),
  extensionAttributes: z.unknown().optional(),
}).meta({ id: 'ShippingAssignment' });

/** A debt cannot be negative. */
const creditDue = storedMoney.superRefine((due, context) => {
  if (due < 0) context.addIssue({ code: 'custom', input: toWire(due) });
});

/** A tender with what it took; an amount that is zero or negative takes nothing. */
const posTender = payload({
  method: text(128).refine((method) => method.trim() !== ''),
  amount: money.refine((amount) => amount > 0),
  paymentId: reference(255).optional(),
}).meta({ id: 'PosTender' });

const extensionPayload = payload({
  shippingAssignments: z.array(shippingAssignment).max(maxRows).optional(),
  paymentAdditionalInfo: z.unknown().optional(),
  appliedTaxes: rows.optional(),
  itemAppliedTaxes: rows.optional(),
  taxes: rows.optional(),
  additionalItemizedTaxes: rows.optional(),
  convertingFromQuote: flag.optional(),
  posSaleId: reference(64).optional(),
  // A list or its JSON text; a hook reads it.
  posAppliedCredits: z.unknown().optional().meta({ type: 'array', maxItems: 20, items: {} }),
  posTenders: z.array(posTender).min(1).max(50).optional(),
  posCreditDue: creditDue.optional(),
  posLayawayStatus: z.enum(['open', 'ready_to_settle', 'stale', 'cancelled']).optional(),
  posLayawayDepositAmount: storedMoney.optional(),
  posLayawayBalanceOwed: storedMoney.optional(),
  posLayawayExpiresAt: stockDate.optional(),
  posLayawayInitialPaymentMethod: text(128).optional(),
}).meta({ id: 'OrderExtension' });

const commentPayload = payload({
  comment: text(maxText).optional(),
  status: text(32).optional(),
  isCustomerNotified: integer.optional(),
  isVisibleOnFront: integer.optional(),
  entityId: recordId.optional(),
  ...eachOf(['createdAt', 'entityName', 'parentId', 'extensionAttributes'], z.unknown().optional()),
}).meta({ id: 'OrderComment' });

/**
 * Fields that only the server sets: ignored, so that an answer can be sent back. The id names the order. A quantity's
 * base twin adds nothing to `total_qty_ordered`.
 */
const serverSet = [
  'protectCode',
  'storeName',
  'totalDue',
  'baseTotalDue',
  'baseTotalQtyOrdered',
  'totalItemCount',
  'shippingAddressId',
  'createdAt',
  'updatedAt',
] as const;

/** A flag, described as it is answered. */
const zeroOrOne = flag.meta({ type: 'integer', enum: [0, 1] });

const orderFields = payload({
  entityId: recordId.optional(),
  incrementId: documentNumber.optional(),
  state: z.enum(orderStates).optional(),
  status: text(32).optional(),
  storeId: recordId.optional(),
  ...eachOf(
    ['baseCurrencyCode', 'globalCurrencyCode', 'orderCurrencyCode', 'storeCurrencyCode'],
    currencyCode.optional(),
  ),
  ...eachOf(['baseToGlobalRate', 'baseToOrderRate', 'storeToBaseRate', 'storeToOrderRate'], rate.optional()),
  ...eachOf([...orderMoney, ...basePrefixed(...orderMoney)], storedMoney.optional()),
  ...eachOf(
    [
      'shippingDiscountTaxCompensationAmount',
      'baseShippingDiscountTaxCompensationAmnt',
      'baseTotalInvoicedCost',
      'paymentAuthorizationAmount',
      'basePaymentAuthorizationAmount',
    ],
    storedMoney.optional(),
  ),
  ...eachOf(['totalQtyOrdered', 'weight'], quantity.optional()),
  isVirtual: zeroOrOne.optional(),
  customerIsGuest: zeroOrOne.optional(),
  customerId: recordId.optional(),
  ...eachOf(orderTexts, text(255).optional()),
  customerNote: text(maxText).optional(),
  ...eachOf(orderIntegers, integer.optional()),
  ...eachOf(orderIds, recordId.optional()),
  ...eachOf(serverSet, z.unknown().optional()),
  items: z.array(orderLinePayload).max(maxRows).optional(),
  // Null for a new order is refused: it is no sale over the counter, which sends none.
  billingAddress: addressPayload.nullish(),
  payment: paymentPayload.optional(),
  statusHistories: z.array(commentPayload).max(maxRows).optional(),
  extensionAttributes: extensionPayload.optional(),
});

/** An order that a caller sends, every key in either spelling; unknown ones are refused (platform facts 5.1, 13). */
export const orderPayload = orderFields.meta({ id: 'Order' });

/** The same, described as a register sends it: with the keys that every sale has. A change of an order has fewer. */
export const salePayload = orderFields.meta({
  id: 'SaleRequest',
  required: [
    ...['storeId', 'state', 'status', 'baseCurrencyCode', 'orderCurrencyCode', 'customerIsGuest', 'customerEmail'],
    ...['subtotal', 'grandTotal', ...basePrefixed('subtotal', 'grandTotal'), 'totalQtyOrdered'],
    ...['items', 'billingAddress', 'payment', 'extensionAttributes'],
  ],
});

const orderPayloadReadOver = ['entityId', 'billingAddressId', ...serverSet] as const;

type OrderPayload = z.output<typeof orderPayload>;

/** Translates the request into the platform's terms. Only the first shipping assignment counts, without its items. */
export function toPostedOrder(input: OrderPayload): PostedOrder {
  const { items, billingAddress, payment, statusHistories, extensionAttributes, ...own } = without(
    input,
    orderPayloadReadOver,
  );
  const { shippingAssignments, paymentAdditionalInfo: _info, ...extension } = extensionAttributes ?? {};
  const { appliedTaxes, itemAppliedTaxes, taxes, additionalItemizedTaxes, ...more } = extension;
  const { convertingFromQuote, posAppliedCredits, posTenders, ...pos } = more;
  const shipping = shippingAssignments?.[0]?.shipping;
  const isShipped = input.isVirtual !== true;
  return {
    columns: {
      ...own,
      ...pos,
      // A register may send an empty id when there is no sale.
      ...(pos.posSaleId === '' ? { posSaleId: null } : {}),
      ...(isShipped && shipping?.method !== undefined ? { shippingMethod: shipping.method } : {}),
      ...storedExtension({
        applied_taxes: appliedTaxes,
        item_applied_taxes: itemAppliedTaxes,
        taxes,
        additional_itemized_taxes: additionalItemizedTaxes,
        converting_from_quote: convertingFromQuote,
        pos_tenders: posTenders?.map(storedTender),
      }),
    },
    lines: items && toPostedLines(items),
    billingAddress: billingAddress ?? undefined,
    shippingAddress: isShipped ? shipping?.address : undefined,
    payment,
    comments: statusHistories?.filter((comment) => comment.entityId === undefined).map(toPostedComment),
    ...(posAppliedCredits === undefined ? {} : { extras: { posAppliedCredits } }),
  };
}

const storedTender = ({ method, amount, paymentId }: z.output<typeof posTender>) => ({
  method: method.trim(),
  amount: toWire(amount),
  ...(paymentId ? { payment_id: paymentId } : {}),
});

/** Extension attributes without a column are stored as they are answered. */
function storedExtension(stored: Record<string, unknown>) {
  const present = Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined));
  return Object.keys(present).length === 0 ? {} : { extensionAttributes: present };
}

const toPostedComment = ({
  comment,
  status,
  isCustomerNotified,
  isVisibleOnFront,
}: z.output<typeof commentPayload>) => ({
  comment,
  status,
  isCustomerNotified,
  isVisibleOnFront,
});
