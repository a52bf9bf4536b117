import { baseNameOf } from '../money/twins.ts';

/**
 * A save must not bring a figure of an order or a line below what documents invoiced and refunded of it. A later memo
 * or invoice would compute with a negative rest.
 */

type Floors = Readonly<Record<string, readonly string[]>>;

const orderFloors: Floors = {
  grandTotal: ['totalInvoiced', 'totalPaid', 'totalRefunded'],
  subtotal: ['subtotalInvoiced', 'subtotalRefunded'],
  taxAmount: ['taxInvoiced', 'taxRefunded'],
  discountAmount: ['discountInvoiced', 'discountRefunded'],
  discountTaxCompensationAmount: ['discountTaxCompensationInvoiced', 'discountTaxCompensationRefunded'],
};

const lineFloors: Floors = {
  qtyOrdered: ['qtyInvoiced', 'qtyShipped', 'qtyRefunded'],
  rowTotal: ['rowInvoiced', 'amountRefunded'],
  taxAmount: ['taxInvoiced', 'taxRefunded'],
  discountAmount: ['discountInvoiced', 'discountRefunded'],
  discountTaxCompensationAmount: ['discountTaxCompensationInvoiced', 'discountTaxCompensationRefunded'],
  weeeTaxAppliedRowAmount: ['weeeTaxAmountInvoiced', 'weeeTaxAmountRefunded'],
};

const withBase = (floors: Floors): Floors => ({
  ...floors,
  ...Object.fromEntries(Object.entries(floors).map(([name, taken]) => [baseNameOf(name), taken.map(baseNameOf)])),
});

/** By figure, in both currencies; a quantity has only one. */
export const floorsOf = {
  order: withBase(orderFloors),
  line: {
    ...withBase(lineFloors),
    baseWeeeTaxAppliedRowAmnt: ['baseWeeeTaxAmountInvoiced', 'baseWeeeTaxAmountRefunded'],
  },
} as const satisfies Record<string, Floors>;

/** The figure that says how much of each figure invoices took. */
export const invoicedOf = {
  order: withBase({
    subtotal: ['subtotalInvoiced'],
    taxAmount: ['taxInvoiced'],
    discountAmount: ['discountInvoiced'],
    discountTaxCompensationAmount: ['discountTaxCompensationInvoiced'],
  }),
  line: {
    ...withBase({
      rowTotal: ['rowInvoiced'],
      taxAmount: ['taxInvoiced'],
      discountAmount: ['discountInvoiced'],
      discountTaxCompensationAmount: ['discountTaxCompensationInvoiced'],
      weeeTaxAppliedRowAmount: ['weeeTaxAmountInvoiced'],
    }),
    baseWeeeTaxAppliedRowAmnt: ['baseWeeeTaxAmountInvoiced'],
  },
} as const satisfies Record<string, Floors>;

/**
 * The first figure that a save would leave beside what invoices took of it, where no invoice follows any more;
 * undefined when there is none. A figure that was beside it before may be sent again unchanged.
 */
export const firstUninvoiced = (invoiced: Floors, stored: object, after: object): string | undefined =>
  Object.entries(invoiced).find(([figure, [taken = figure]]) => {
    const value = numberOf(after, figure);
    return value !== numberOf(stored, figure) && value !== numberOf(after, taken);
  })?.[0];

/**
 * The first figure that a save would bring below what documents took of it; undefined when there is none. A figure
 * that is already below its floor, because its order was posted so, may be sent again unchanged.
 */
export function firstBelowFloor(
  floors: Floors,
  stored: object,
  sent: object,
): { fieldName: string; value: number } | undefined {
  for (const [fieldName, value] of Object.entries(sent)) {
    const floor = (floors[fieldName] ?? []).map((name) => numberOf(stored, name));
    if (typeof value !== 'number' || floor.every((taken) => taken === 0)) continue;
    const was = numberOf(stored, fieldName);
    if (floor.some((taken) => isPast(value, taken, was))) return { fieldName, value };
  }
  return undefined;
}

/** Negative figures, as document discounts are, compare downwards. */
const isPast = (value: number, taken: number, was: number): boolean =>
  taken < 0 ? value > Math.max(taken, was) : value < Math.min(taken, was);

const numberOf = (stored: object, name: string): number => {
  const value: unknown = Reflect.get(stored, name);
  return typeof value === 'number' ? value : 0;
};
