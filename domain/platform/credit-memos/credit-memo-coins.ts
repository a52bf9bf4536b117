import { absolute, add, subtract, zero, type Amount } from '../../money/amount.ts';
import { coinsOf, toCoins, type Coin } from '../../money/coins.ts';
import type { Currency } from '../../money/in-both.ts';
import type { LineRegisters, OrderRegisters, RefundableLine, RefundableOrder } from './credit-memo-figures.ts';

/**
 * The same order counted in coins, each currency by its own. Registers may post figures finer than that, but money is paid
 * in coins: each line gets the coins by which the sum up to it grows, so that the lines still add up to the order's totals;
 * what was paid is the coins nearest to it.
 *
 * Our choice. The platform gives the finer rest back with the last piece of a line. After some rounding it refuses the
 * last refund of the order, for a cent too much. An order in coins comes out as it went in.
 */
export function inCoins(order: RefundableOrder): RefundableOrder {
  const coins = coinsOf(order);
  const base = countedIn('base', order, coins.base);
  const own = countedIn('order', order, coins.order);
  return {
    ...order,
    lines: order.lines.map((line, index) => ({
      ...line,
      base: base.lines[index] ?? line.base,
      order: own.lines[index] ?? line.order,
    })),
    base: base.registers,
    order: own.registers,
  };
}

const lineFigures = [
  'rowInvoiced',
  'rowTotalInclTax',
  'discountInvoiced',
  'taxInvoiced',
  'discountTaxCompensationInvoiced',
  'weeeRow',
  'weeeInvoiced',
  'taxOnWeeeRow',
] as const satisfies readonly (keyof LineRegisters)[];

const headerFigures = [
  'grandTotal',
  'totalInvoiced',
  'totalPaid',
  'totalRefunded',
  'returnedWithoutMemo',
  'taxInvoiced',
  'discountTaxCompensationInvoiced',
  'shippingAmount',
  'shippingTaxAmount',
  'shippingDiscountAmount',
  'shippingDiscountTaxCompensationAmount',
] as const satisfies readonly (keyof OrderRegisters)[];

export interface Counted {
  lines: readonly LineRegisters[];
  registers: OrderRegisters;
}

function countedIn(currency: Currency, order: RefundableOrder, coin: Coin): Counted {
  const exact = { lines: order.lines.map((line) => line[currency]), registers: order[currency] };
  const registers = { ...exact.registers };
  for (const figure of headerFigures) registers[figure] = toCoins(registers[figure], coin);
  const counted = { lines: linesInCoins(order.lines, currency, coin), registers };
  return followTotal(exact, counted, coin);
}

function linesInCoins(lines: readonly RefundableLine[], currency: Currency, coin: Coin): LineRegisters[] {
  const rounded = lines.map((line) => ({ ...line[currency] }));
  for (const figure of lineFigures) {
    let sum = zero;
    for (const line of rounded) {
      const before = toCoins(sum, coin);
      sum = add(sum, line[figure]);
      line[figure] = subtract(toCoins(sum, coin), before);
    }
  }
  return rounded;
}

/**
 * Goods, taxes and shipping are rounded one by one, the total once. So they can come to a coin more or less than the
 * total. Tax bears that coin, or the dearest line where there is no tax. So the last refund gives back just the rest.
 * Only where the exact figures add up to the total: another difference was posted, and is not ours to mend.
 */
function followTotal(exact: Counted, counted: Counted, coin: Coin): Counted {
  const { registers, lines } = counted;
  const isConsistent = absolute(subtract(sumOf(exact), exact.registers.grandTotal)) < coin;
  const beyond = subtract(registers.grandTotal, sumOf(counted));
  if (beyond === zero || !isConsistent) return counted;
  const taxInvoiced = add(registers.taxInvoiced, beyond);
  if (registers.taxInvoiced > zero && taxInvoiced >= zero) return { lines, registers: { ...registers, taxInvoiced } };
  const dearest = lines.toSorted((one, other) => other.rowInvoiced - one.rowInvoiced)[0];
  const borne = lines.map((line) =>
    line === dearest ? { ...line, rowInvoiced: add(line.rowInvoiced, beyond) } : line,
  );
  return { lines: borne, registers };
}

/** What everything invoiced comes to. */
export function sumOf({ lines, registers }: Counted): Amount {
  const sum = (figure: keyof LineRegisters) => add(zero, ...lines.map((line) => line[figure]));
  return subtract(
    add(
      sum('rowInvoiced'),
      sum('weeeInvoiced'),
      registers.shippingAmount,
      registers.taxInvoiced,
      registers.discountTaxCompensationInvoiced,
    ),
    sum('discountInvoiced'),
    registers.shippingDiscountAmount,
  );
}
