import { z } from 'zod';
import {
  creditMemoItemMoneyColumns,
  creditMemoMoneyColumns,
  type PostedCreditMemo,
} from '../../../db/platform/credit-memos/credit-memos.ts';
import type { RefundHooks } from '../../../db/platform/credit-memos/refund-invoice.ts';
import type { DocumentSheet } from '../../../db/platform/orders/read-documents.ts';
import type { SheetRow } from '../../../db/support/sheet-row.ts';
import { basePrefixed } from '../../../db/support/columns.ts';
import { refuseCardData } from '../../../domain/card-data.ts';
import type { Amount } from '../../../domain/money.ts';
import type { MemoLineMoney, MemoTotals } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import type { PostedMemo, PostedMemoLine, Named } from '../../../domain/platform/credit-memos/posted-memo.ts';
import type { MailDocument, RefundOnline } from '../../http/route-kinds.ts';
import type { Caller } from '../../http/route.ts';
import { eachOf, rowsOf } from '../../wire/rows.ts';
import { documentCommentAnswer, renderDocumentComment } from '../../wire/documents.ts';
import { renderRow } from '../../wire/outcomes.ts';
import {
  flag,
  growing,
  idParam,
  integer,
  quantity,
  recordId,
  reference,
  savedNumber,
  storedMoney,
  text,
} from '../../wire/schemas.ts';

/** More lines and comments than a memo has in practice. */
const maxRows = 1_000;
const maxComment = 65_535;

const totalNames = [
  'subtotal',
  'subtotalInclTax',
  'discountAmount',
  'shippingAmount',
  'shippingInclTax',
  'shippingTaxAmount',
  'taxAmount',
  'discountTaxCompensationAmount',
  'adjustmentPositive',
  'adjustmentNegative',
  'adjustment',
  'grandTotal',
] as const satisfies readonly (keyof MemoTotals)[];

const lineNames = [
  'rowTotal',
  'rowTotalInclTax',
  'taxAmount',
  'discountAmount',
  'discountTaxCompensationAmount',
  'weeeTaxAppliedRowAmount',
] as const satisfies readonly (keyof MemoLineMoney)[];

const moneyOf = <const Name extends string>(names: readonly Name[]) =>
  eachOf([...names, ...basePrefixed(...names)], storedMoney.optional());

const line = growing({
  orderItemId: idParam,
  qty: quantity,
  ...moneyOf(lineNames),
  // The platform shortens this one name.
  baseWeeeTaxAppliedRowAmnt: storedMoney.optional(),
});

const comment = growing({
  entityId: recordId.optional(),
  comment: text(maxComment).default(''),
  isVisibleOnFront: flag.default(false),
});

/** A credit memo with its caller's own figures (platform facts 7.1). Columns that we do not use are ignored. */
export const creditMemoPayload = growing({
  entityId: recordId.optional(),
  orderId: idParam.optional(),
  incrementId: savedNumber,
  invoiceId: recordId.optional(),
  state: integer.optional(),
  transactionId: reference(255).optional(),
  ...moneyOf(totalNames),
  items: rowsOf(line, maxRows).default([]),
  comments: rowsOf(comment, maxRows).default([]),
  extensionAttributes: growing({ returnToStockItems: z.array(idParam).max(maxRows).default([]) }).optional(),
});

export type CreditMemoPayload = z.output<typeof creditMemoPayload>;

/** The same as the domain's type. */
export const toGivenMemo = (input: CreditMemoPayload): PostedMemo => ({
  lines: input.items.map(toPostedLine),
  totals: namedOf(totalNames, input),
});

const toPostedLine = (row: CreditMemoPayload['items'][number]): PostedMemoLine => {
  const { orderItemId, qty, baseWeeeTaxAppliedRowAmnt, ...money } = row;
  const cut = baseWeeeTaxAppliedRowAmnt === undefined ? {} : { baseWeeeTaxAppliedRowAmount: baseWeeeTaxAppliedRowAmnt };
  return { orderItemId, qty, money: namedOf(lineNames, { ...money, ...cut }) };
};

/** Each figure in the currencies in which it was sent. */
function namedOf<const Name extends string>(
  names: readonly Name[],
  input: Partial<Record<Name | `base${Capitalize<Name>}`, Amount | undefined>>,
): Partial<Record<Name, Named>> {
  const named: Partial<Record<Name, Named>> = {};
  for (const name of names) {
    const [own, base] = [input[name], basePrefixed(name).map((key) => input[key])[0]];
    if (own === undefined && base === undefined) continue;
    named[name] = { ...(own === undefined ? {} : { order: own }), ...(base === undefined ? {} : { base }) };
  }
  return named;
}

/** The memo's comment: the first of several. Refused with 400: card data in it (our choice). */
export function remarkOfMemo({ comments }: CreditMemoPayload) {
  const [first] = comments;
  for (const one of comments) refuseCardData(one.comment);
  return first && { comment: first.comment, isVisibleOnFront: first.isVisibleOnFront };
}

/**
 * A bare save, in the transaction's words: what is absent stays as it is, or zero. Refused with: 400 card data in a
 * comment (our choice).
 */
export function toPostedMemo(input: CreditMemoPayload): PostedCreditMemo {
  const { entityId, orderId, incrementId, invoiceId, state, transactionId, items, comments } = input;
  for (const one of comments) refuseCardData(one.comment);
  const memo = toGivenMemo(input);
  return {
    // As on the platform zero is no id: a new memo.
    entityId: entityId === 0 ? undefined : entityId,
    orderId,
    incrementId,
    invoiceId,
    state,
    transactionId,
    totals: memo.totals,
    lines: items.length ? memo.lines : undefined,
    // Those with an id are there: a memo that was read is sent back with them.
    comments: comments.filter((one) => (one.entityId ?? 0) === 0),
  };
}

/** The form of credit memos in answers (platform facts 7.5). */

type Shape = Record<string, z.ZodType>;

/** The platform abbreviates this one name. */
const cutColumn = { from: 'base_weee_tax_applied_row_amount', to: 'base_weee_tax_applied_row_amnt' };

const itemShape: Shape = {
  ...eachOf(['entity_id', 'parent_id', 'order_item_id'], z.int()),
  product_id: z.int().optional(),
  sku: z.string(),
  name: z.string().optional(),
  qty: z.number(),
  base_cost: z.number().optional(),
  ...eachOf(
    creditMemoItemMoneyColumns.filter((column) => column !== cutColumn.from),
    z.number(),
  ),
};

const ownShape: Shape = {
  ...eachOf(['entity_id', 'order_id', 'store_id', 'state'], z.int()),
  ...eachOf(['increment_id', 'created_at', 'updated_at'], z.string()),
  ...eachOf(creditMemoMoneyColumns, z.number()),
  invoice_id: z.int().optional(),
  transaction_id: z.string().optional(),
  email_sent: z.int().optional(),
};

const orderShape: Shape = {
  ...eachOf(['base_currency_code', 'global_currency_code', 'order_currency_code', 'store_currency_code'], z.string()),
  ...eachOf(['base_to_global_rate', 'base_to_order_rate', 'store_to_base_rate', 'store_to_order_rate'], z.number()),
  ...eachOf(['billing_address_id', 'shipping_address_id'], z.int().optional()),
};

/** Columns that are copied unchanged. */
const creditMemoItemColumns = Object.keys(itemShape);
const creditMemoColumns = Object.keys(ownShape);
const creditMemoOrderColumns = Object.keys(orderShape);

const wholeShape: Shape = {
  ...ownShape,
  ...orderShape,
  items: z.array(z.strictObject({ ...itemShape, [cutColumn.to]: z.number() })),
  comments: z.array(documentCommentAnswer),
  /** Only of a memo that `POST /V1/creditmemo` wrote down: no money went back with it. */
  extension_attributes: z
    .strictObject({
      pos_moved_money: z.literal(false).describe('Always false: this document was saved, and moved no money.'),
    })
    .optional(),
};

export const creditMemoAnswer = z.strictObject(wholeShape).meta({ id: 'CreditMemo' });

/** A credit memo in answers (platform facts 7.5). */
export const renderCreditMemo = ({ document, items, comments, order }: DocumentSheet): Record<string, unknown> => ({
  ...renderRow(document, creditMemoColumns),
  ...renderRow(order, creditMemoOrderColumns),
  items: items.map(renderItem),
  comments: comments.map(renderDocumentComment),
  // A memo that was only written down looks like one that gave money back, also in state 2.
  ...(document['figures_from'] === 'save' ? { extension_attributes: { pos_moved_money: false } } : {}),
});

const renderItem = (item: SheetRow) => ({
  ...renderRow(item, creditMemoItemColumns),
  [cutColumn.to]: item[cutColumn.from],
});

/** What refunds call of the point of sale and of the gateways. */
export interface CreditMemoWiring {
  hooksFor: (caller: Caller) => RefundHooks;
  refundOnline: RefundOnline;
  mailDocument: MailDocument;
}
