import { z } from 'zod';
import type { GivenMemo, GivenMemoLine, Named } from '../../../domain/platform/credit-memos/given-memo.ts';
import type { MemoLineMoney, MemoTotals } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { basePrefixed } from '../../../db/support/columns.ts';
import type { Amount } from '../../../domain/money/amount.ts';
import type { PostedCreditMemo } from '../../../db/platform/credit-memos/save-credit-memo.ts';
import { eachOf } from '../../wire/each-of.ts';
import { rowsOf } from '../../wire/one-or-more.ts';
import { refuseCardData } from '../../../domain/refuse-card-data.ts';
import { flag, growing, idParam, integer, quantity, savedNumber, storedMoney, text } from '../../wire/schemas.ts';

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
  entityId: integer.optional(),
  comment: text(maxComment).default(''),
  isVisibleOnFront: flag.default(false),
});

/** A credit memo with its caller's own figures (platform facts 7.1). Columns that we do not use are ignored. */
export const creditMemoPayload = growing({
  entityId: integer.optional(),
  orderId: idParam.optional(),
  incrementId: savedNumber,
  invoiceId: integer.optional(),
  state: integer.optional(),
  transactionId: text(255).optional(),
  ...moneyOf(totalNames),
  items: rowsOf(line, maxRows).default([]),
  comments: rowsOf(comment, maxRows).default([]),
  extensionAttributes: growing({ returnToStockItems: z.array(idParam).max(maxRows).default([]) }).optional(),
});

export type CreditMemoPayload = z.output<typeof creditMemoPayload>;

/** The same as the domain's type. */
export const toGivenMemo = (given: CreditMemoPayload): GivenMemo => ({
  lines: given.items.map(toGivenLine),
  totals: namedOf(totalNames, given),
});

const toGivenLine = (row: CreditMemoPayload['items'][number]): GivenMemoLine => {
  const { orderItemId, qty, baseWeeeTaxAppliedRowAmnt, ...money } = row;
  const cut = baseWeeeTaxAppliedRowAmnt === undefined ? {} : { baseWeeeTaxAppliedRowAmount: baseWeeeTaxAppliedRowAmnt };
  return { orderItemId, qty, money: namedOf(lineNames, { ...money, ...cut }) };
};

/** Each figure in the currencies in which it was sent. */
function namedOf<const Name extends string>(
  names: readonly Name[],
  given: Partial<Record<Name | `base${Capitalize<Name>}`, Amount | undefined>>,
): Partial<Record<Name, Named>> {
  const named: Partial<Record<Name, Named>> = {};
  for (const name of names) {
    const [own, base] = [given[name], basePrefixed(name).map((key) => given[key])[0]];
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
 * A bare save, in the transaction's words: what is absent stays as it is, or zero. Refused with: 400 card data in a comment (our
 * choice).
 */
export function toPostedMemo(given: CreditMemoPayload): PostedCreditMemo {
  const { entityId, orderId, incrementId, invoiceId, state, transactionId, items, comments } = given;
  for (const one of comments) refuseCardData(one.comment);
  const memo = toGivenMemo(given);
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
