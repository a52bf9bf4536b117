import { z } from 'zod';
import { documented } from '../wire/unread.ts';
import { creditKinds, creditUses, type CreditKind } from '../../domain/credits/applied-credit.ts';
import type { Cart } from '../../domain/credits/cart-owing.ts';
import { absolute, add, subtract, zero } from '../../domain/money/amount.ts';
import { growing, integer, storedMoney, text } from '../wire/schemas.ts';

/** The most lines; more than any cart has. */
export const mostLines = 10_000;
const mostCredits = 100;

const figure = storedMoney.default(zero);

/** A register's question about a cart (spec 4.6), in the cart's currency. */
const applicableShape = {
  /** An unknown type is answered as unsupported, not refused. */
  credit_type: text(64),
  customer_id: integer.optional(),
  code: text(255).optional(),
  store_id: integer.optional(),
  subtotal: figure,
  subtotal_incl_tax: storedMoney.optional(),
  discount_amount: figure,
  discount_tax_compensation_amount: figure,
  shipping_amount: figure,
  shipping_incl_tax: storedMoney.optional(),
  shipping_discount_amount: figure,
  shipping_discount_tax_compensation_amount: figure,
  tax_amount: figure,
  grand_total: storedMoney.optional(),
  lines: z
    .array(
      growing({
        sku: text(255),
        qty: storedMoney.optional(),
        row_total: figure,
        row_total_incl_tax: storedMoney.optional(),
        discount_amount: figure,
      }),
    )
    .max(mostLines)
    .default([]),
  applied_credits: z
    .array(
      growing({
        credit_type: text(64).optional(),
        /** The key in answers that contain an order's credits. */
        kind: text(64).optional(),
        provider_code: text(64).optional(),
        code: text(255).optional(),
        amount: figure,
        points: integer.optional(),
        applies_as: z.enum(creditUses).default('tender'),
      }),
    )
    .max(mostCredits)
    .default([]),
};

export const applicableRequest = z.object(applicableShape);
export type ApplicableRequest = z.output<typeof applicableRequest>;

const anything = z.unknown().optional();

/** The same keys, whatever stands in them: what does not fit is answered with 200 as well (spec 4.6). */
export const applicablePayload = z
  .object({
    credit_type: anything,
    customer_id: anything,
    code: anything,
    store_id: anything,
    subtotal: anything,
    subtotal_incl_tax: anything,
    discount_amount: anything,
    discount_tax_compensation_amount: anything,
    shipping_amount: anything,
    shipping_incl_tax: anything,
    shipping_discount_amount: anything,
    shipping_discount_tax_compensation_amount: anything,
    tax_amount: anything,
    grand_total: anything,
    lines: anything,
    applied_credits: anything,
  })
  .meta(documented(applicableRequest));

/** The cart in the rules' terms. An absent total is computed as the platform does. */
export function cartOf(asked: ApplicableRequest): Cart {
  return {
    subtotal: asked.subtotal,
    subtotalInclTax: asked.subtotal_incl_tax ?? asked.subtotal,
    discountAmount: asked.discount_amount,
    taxAmount: asked.tax_amount,
    grandTotal: asked.grand_total ?? totalOf(asked),
    lines: asked.lines.map((line) => ({
      sku: line.sku,
      rowTotal: line.row_total,
      rowTotalInclTax: line.row_total_incl_tax ?? line.row_total,
      discountAmount: line.discount_amount,
    })),
    appliedCredits: asked.applied_credits.map((credit) => ({
      kind: kindOf(credit.credit_type ?? credit.kind),
      providerCode: credit.provider_code ?? null,
      code: credit.code ?? null,
      // The sign does not matter, as with discounts: a credit on the cart is a payment.
      amount: absolute(credit.amount),
      points: credit.points === undefined ? null : Math.abs(credit.points),
      appliesAs: credit.applies_as,
    })),
  };
}

/** Balances call points `loyalty_points`. An unknown type is another credit: the cart owes less by its amount. */
const kindOf = (type: string | undefined): CreditKind | null =>
  creditKinds.find((kind) => kind === (type === 'loyalty_points' ? 'reward_points' : type)) ?? null;

/** The discount includes the shipping's: it is not subtracted twice. */
const totalOf = (asked: ApplicableRequest) =>
  subtract(
    add(
      asked.subtotal,
      asked.shipping_amount,
      asked.tax_amount,
      asked.discount_tax_compensation_amount,
      asked.shipping_discount_tax_compensation_amount,
    ),
    absolute(asked.discount_amount),
  );
