import type { EntityManager } from '@mikro-orm/postgresql';
import {
  add,
  coinsOf,
  inBoth,
  moneyOf,
  parseAmount,
  subtract,
  toCoins,
  twin,
  twins,
  zero,
  type Amount,
  type Currency,
  type InBoth,
} from '../../../domain/money.ts';
import {
  awaitsPayment,
  defaultStatus,
  stateAfterDocument,
  stateAfterShipment,
  stateOnSave,
  type OrderFigures,
  type OrderState,
} from '../../../domain/platform/order-state.ts';
import { hasRefundUnderWay } from '../../../domain/platform/save-guard.ts';
import { uniqueConstraintViolated } from '../../../domain/refusals/documents.ts';
import { flag, integer, orNull, definite, text } from '../../support/entity-columns.ts';
import { refuseTaken } from '../../support/refuse-taken.ts';

import { shopNow } from '../../support/shop-clock.ts';
import { sql } from '../../support/sql.ts';
import { statement } from '../../support/statement.ts';
import { insertRows, into, type Written } from '../../support/write-rows.ts';
import { invoiceStates } from '../invoices/invoice.entity.ts';
import type { LockedOrder, OrderRow } from './lock-order.ts';
import { DocumentComment, OrderComment, type commentedDocuments } from './order-parts.entity.ts';
import type { DocumentRemark } from './document-remark.ts';

export interface NewOrderComment {
  orderId: number;
  comment: string;
  /** The status shown with the comment; the order itself does not change. */
  status: string;
  /** The document that the comment is about; `order` by default. */
  entityName?: 'order' | 'invoice' | 'creditmemo' | 'shipment';
  isCustomerNotified?: boolean;
  isVisibleOnFront?: boolean;
}

/** Adds a line to an order's history, in the caller's transaction (platform facts 5.2). A repeat adds another line. */
export const addOrderComment = (em: EntityManager, comment: NewOrderComment): Promise<void> =>
  insertRows(em, [orderComments([comment])]);

/** Lines of an order's history, for a statement that also writes other rows. */
export const orderComments = (comments: readonly NewOrderComment[]): Written =>
  into(
    OrderComment,
    comments.map((input) => ({
      parentId: input.orderId,
      comment: input.comment,
      status: input.status,
      entityName: input.entityName ?? 'order',
      isCustomerNotified: input.isCustomerNotified ? 1 : 0,
      isVisibleOnFront: input.isVisibleOnFront ? 1 : 0,
      createdAt: shopNow(),
    })),
  );

/** Adds what could not be done with the goods of a document to the order's history; nothing where it is empty. */
export async function noteInHistory(
  em: EntityManager,
  { entityId: orderId, status }: Pick<LockedOrder, 'entityId' | 'status'>,
  { entityName, comments }: { entityName: NonNullable<NewOrderComment['entityName']>; comments: readonly string[] },
): Promise<void> {
  if (comments.length === 0) return;
  await insertRows(em, [orderComments(comments.map((comment) => ({ orderId, comment, status, entityName })))]);
}

const figures = twins('totalPaid', 'totalRefunded', 'returnedWithoutMemo');

/** An order's money in one currency, in its coins. */
export interface OrderMoney {
  paid: Amount;
  /** By credit memos and in any other way. Refunds under way are not included. */
  returned: Amount;
}

/** What was paid for an order and what went back, in each currency. */
export function moneyOfOrder(order: OrderRow): InBoth<OrderMoney> {
  const coins = coinsOf(order);
  return inBoth((currency) => {
    const { totalPaid, totalRefunded, returnedWithoutMemo } = moneyOf(order, figures, currency);
    const inCoins = (value: Amount) => toCoins(value, coins[currency]);
    return { paid: inCoins(totalPaid), returned: add(totalRefunded, inCoins(returnedWithoutMemo)) };
  });
}

export interface NewDocumentComment extends DocumentRemark {
  document: (typeof commentedDocuments)[number];
  parentId: number;
}

/** Adds a comment to an invoice, a credit memo or a shipment, in the caller's transaction. A repeat adds another. */
export const addDocumentComment = (em: EntityManager, comment: NewDocumentComment): Promise<void> =>
  insertRows(em, [documentComments([comment])]);

/** Comments on documents, for a statement that also writes other rows. */
export const documentComments = (comments: readonly NewDocumentComment[]): Written =>
  into(
    DocumentComment,
    comments.map((input) => ({
      document: input.document,
      parentId: input.parentId,
      comment: input.comment,
      isCustomerNotified: input.isCustomerNotified ? 1 : 0,
      isVisibleOnFront: input.isVisibleOnFront ? 1 : 0,
      createdAt: shopNow(),
    })),
  );

export interface DocumentNumbers {
  entityId: number;
  /** The number that people read: `000000123`. */
  incrementId: string;
}

/** So many numbers in a row may have been given by callers before the next one is drawn. */
const mostTaken = 1_000;

/**
 * Makes the function that draws the id and the increment id of a store's new document. Drawing them first lets one
 * statement write the document with its lines. A transaction that is rolled back leaves a gap; a number is never used
 * twice. A caller's own number is kept; numbers that callers gave are not drawn again.
 *
 * The function refuses with 400 a caller's number that another document of the store has. Of two at once only
 * `withOwnNumber` can tell.
 *
 * @param document its name for `next_increment_id`, and the end of its table's name
 */
export function drawsNumbers(
  document: 'invoice' | 'creditmemo' | 'shipment',
): (em: EntityManager, storeId: number, incrementId?: string) => Promise<DocumentNumbers> {
  const table = `sales_${document}`;
  const draw = statement({
    takes: { storeId: integer, incrementId: orNull(text) },
    gives: { entityId: definite(integer), incrementId: definite(text), isTaken: definite(flag) },
    text: `
      with drawn as materialized (
        select nextval('${table}_entity_id_seq') as entity_id,
          coalesce($incrementId::text, next_increment_id('${document}', $storeId)) as increment_id)
      select d.entity_id, d.increment_id,
        exists(select from ${table} t where t.increment_id = d.increment_id and t.store_id = $storeId) as is_taken
      from drawn d`,
  });
  return async (em, storeId, incrementId) => {
    for (let tries = 0; tries < mostTaken; tries++) {
      const drawn = await draw.first(em, { storeId, incrementId: incrementId ?? null });
      if (!drawn) throw new Error(`no numbers for a ${document}`);
      if (!drawn.isTaken) return { entityId: drawn.entityId, incrementId: drawn.incrementId };
      if (incrementId !== undefined) throw uniqueConstraintViolated();
    }
    throw new Error(`${mostTaken} numbers of a ${document} are uniqueConstraintViolated`);
  };
}

/** Refused with 400: the number that a caller gave to a document was given to another one at this moment. */
export const withOwnNumber = <Result>(incrementId: string | undefined, work: () => Promise<Result>): Promise<Result> =>
  incrementId === undefined
    ? work()
    : refuseTaken(work, () => uniqueConstraintViolated(), 'increment_id_once_per_store');

/** What changed the order: a new document, or a save of the order itself. */
export type OrderEvent = 'invoice' | 'refund' | 'shipment' | 'save';

/**
 * Moves a locked order to the state that follows from its figures: first by the document's rule, then by the rule of
 * every save (platform facts 5.3). Call it last, when lines and totals are final. A repeat changes nothing.
 *
 * After a refund, a merchant's own status stays if it belongs to the new state. Every other move takes the default
 * status.
 */
export async function applyOrderState(em: EntityManager, order: LockedOrder, event: OrderEvent): Promise<void> {
  const keepsOwnStatus = event === 'refund';
  const figures = figuresOf(order);
  const isOpen = await hasOpenInvoice(em, order.entityId, figures);
  const next = stateAfter(figures, event, isOpen);
  if (event === 'invoice' || event === 'refund' || next !== order.state) await move(em, order, next, keepsOwnStatus);
  const saved = stateOnSave(figuresOf(order), isOpen);
  if (saved !== order.state) await move(em, order, saved, keepsOwnStatus);
}

/**
 * The figures of an order and its lines that decide its state. A part of a set does not count: it follows its parent
 * line.
 */
export const figuresOf = (order: LockedOrder): OrderFigures => ({
  state: order.state,
  isVirtual: order.isVirtual,
  orderCurrencyCode: order.orderCurrencyCode,
  grandTotal: order.grandTotal,
  baseGrandTotal: order.baseGrandTotal,
  totalPaid: order.totalPaid,
  totalRefunded: order.totalRefunded,
  adjustmentPositive: order.adjustmentPositive,
  adjustmentNegative: order.adjustmentNegative,
  dueTakenOff: order.dueTakenOff,
  differenceRefunded: order.differenceRefunded,
  hasRefundUnderWay: hasRefundUnderWay(order),
  lines: order.lines.filter((line) => line.parentItemId == null),
});

function stateAfter(figures: OrderFigures, event: OrderEvent, hasOpen: boolean): OrderState {
  if (event === 'invoice' || event === 'refund') return stateAfterDocument(figures, event, hasOpen);
  return event === 'shipment' ? stateAfterShipment(figures.state) : figures.state;
}

async function move(em: EntityManager, order: LockedOrder, state: OrderState, keepsOwnStatus: boolean) {
  if (state === 'pending_payment') return;
  order.state = state;
  if (keepsOwnStatus && (await belongsTo(em, order.status, state))) return;
  order.status = defaultStatus[state];
}

const belongsTo = async (em: EntityManager, status: string, state: OrderState) =>
  status === defaultStatus[state] || (await findStatus.first(em, { status, state })) !== undefined;

const findStatus = sql('add-order-comment.findStatus')`
  select status from sales_order_status_state where status = $status and state = $state`;

/** Whether an open invoice asks for money. Reads the database only when the result can matter. */
export const hasOpenInvoice = async (em: EntityManager, orderId: number, figures: OrderFigures) =>
  awaitsPayment(figures, true) && (await findOpenInvoice.first(em, { orderId })) !== undefined;

const findOpenInvoice = sql('add-order-comment.findOpenInvoice')`
  select entity_id from sales_invoice where order_id = $orderId and state = ${invoiceStates.open} limit 1`;

/**
 * The columns in which an order, its lines and its payment add up their documents, by the document's figure (platform
 * facts 5.2). An order adds up the negative discounts of its documents, as the platform does.
 */

/** Columns whose base name on an order does not follow the rule. */
export const shippingDiscountTaxCompensation = {
  order: 'shippingDiscountTaxCompensationAmount',
  base: 'baseShippingDiscountTaxCompensationAmnt',
} as const;
export const weeeOfRow = { order: 'weeeTaxAppliedRowAmount', base: 'baseWeeeTaxAppliedRowAmnt' } as const;

/** Totals of invoices. */
export const invoiced = {
  order: {
    grandTotal: twin('totalInvoiced'),
    subtotal: twin('subtotalInvoiced'),
    taxAmount: twin('taxInvoiced'),
    shippingAmount: twin('shippingInvoiced'),
    discountAmount: twin('discountInvoiced'),
    discountTaxCompensationAmount: twin('discountTaxCompensationInvoiced'),
  },
  line: {
    rowTotal: twin('rowInvoiced'),
    taxAmount: twin('taxInvoiced'),
    discountAmount: twin('discountInvoiced'),
    discountTaxCompensationAmount: twin('discountTaxCompensationInvoiced'),
    weeeTaxAppliedRowAmount: twin('weeeTaxAmountInvoiced'),
  },
  payment: { shippingAmount: twin('shippingCaptured') },
} as const;

/** Totals of credit memos. Grand totals are added up elsewhere, in coins. */
export const refunded = {
  order: {
    subtotal: twin('subtotalRefunded'),
    taxAmount: twin('taxRefunded'),
    discountAmount: twin('discountRefunded'),
    discountTaxCompensationAmount: twin('discountTaxCompensationRefunded'),
    shippingAmount: twin('shippingRefunded'),
    shippingTaxAmount: twin('shippingTaxRefunded'),
    ...twins('adjustmentPositive', 'adjustmentNegative'),
    difference: twin('differenceRefunded'),
  },
  line: {
    rowTotal: twin('amountRefunded'),
    taxAmount: twin('taxRefunded'),
    discountAmount: twin('discountRefunded'),
    discountTaxCompensationAmount: twin('discountTaxCompensationRefunded'),
    weeeTaxAppliedRowAmount: twin('weeeTaxAmountRefunded'),
  },
  payment: { shippingAmount: twin('shippingRefunded') },
} as const;

/** Totals of a cancellation: a line's share of taxes, and what an order never invoiced or was never paid. */
export const canceled = {
  line: {
    taxAmount: twin('taxCanceled'),
    discountTaxCompensationAmount: twin('discountTaxCompensationCanceled'),
  },
  order: [
    { register: twin('subtotalCanceled'), of: twin('subtotal'), less: twin('subtotalInvoiced') },
    { register: twin('taxCanceled'), of: twin('taxAmount'), less: twin('taxInvoiced') },
    { register: twin('shippingCanceled'), of: twin('shippingAmount'), less: twin('shippingInvoiced') },
    { register: twin('discountCanceled'), of: twin('discountAmount'), less: twin('discountInvoiced') },
    { register: twin('totalCanceled'), of: twin('grandTotal'), less: twin('totalPaid') },
  ],
} as const;

/**
 * The tax on a row's fixed product taxes, from the JSON text the platform keeps them in (platform facts 9.2). The text
 * is a list of `row_amount` and `row_amount_incl_tax`, each with its `base_` twin. Zero when there are none.
 */
export function taxOnWeee(applied: string | null | undefined, currency: Currency): Amount {
  if (applied === null || applied === undefined || !applied.includes('incl_tax')) return zero;
  const prefix = currency === 'base' ? 'base_' : '';
  const taxes = rowsOf(applied).map((row) => {
    const without = amountOf(row, `${prefix}row_amount`);
    const including = amountOf(row, `${prefix}row_amount_incl_tax`);
    return without === undefined || including === undefined ? zero : subtract(including, without);
  });
  return add(zero, ...taxes);
}

function rowsOf(text: string): object[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.filter((row) => typeof row === 'object' && row !== null) : [];
  } catch {
    return [];
  }
}

/** An amount, sent as a number or as text. More than four decimals are rounded. */
function amountOf(row: object, key: string): Amount | undefined {
  const value: unknown = Reflect.get(row, key);
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? parseAmount(number.toFixed(4)) : undefined;
}
