import { fieldRequired, invalid } from '../../../domain/errors.ts';
import {
  absolute,
  add,
  amount,
  isPositive,
  negate,
  scale,
  subtract,
  toWire,
  zero,
} from '../../../domain/money/amount.ts';
import type { Amount } from '../../../domain/money/amount.ts';
import { coinsOf, type Coins } from '../../../domain/money/coins.ts';
import { unitsPerWhole } from '../../../domain/money/fixed-point.ts';
import { currencies, inBoth, type Currency, type InBoth } from '../../../domain/money/in-both.ts';
import { twin, type Twin } from '../../../domain/money/twins.ts';
import {
  givenInBase,
  givenInOrderCurrency,
  type RatedCurrencies,
} from '../../../domain/platform/credit-memos/credit-memo-currencies.ts';
import { orderMoney } from './order-columns.ts';
import { orderItemMoney } from './order-item.entity.ts';
import type { OrderLine } from './order-rows.ts';
import { shippingDiscountTaxCompensation, weeeOfRow } from './registers.ts';
import type { PostedColumns } from './posted-order.ts';

export interface PlacedFigures {
  columns: PostedColumns;
  lines: readonly OrderLine[];
}

/**
 * Completes a new order's figures in both currencies, so that its payments can be refunded. Our choice: the platform
 * stores what is sent. A figure sent in one currency only is converted at the rate, in coins. A missing total is the
 * sum of its parts. A line without a row total gets its price times its quantity.
 *
 * Refused with: 400 an order with a value but without lines, or with lines of no value.
 */
export function completeOrder(sent: PlacedFigures, rated: RatedCurrencies): PlacedFigures {
  const lines = sent.lines.map((line) => inBothCurrencies(withRow(line, coinsOf(rated)), lineFigures, rated));
  const columns = withTotals({ columns: sent.columns, lines }, rated);
  refuseDeadEnd({ columns, lines });
  return { columns, lines };
}

/** Without the grand totals and what was paid: these follow from the figures here. */
const orderFigures: readonly Twin[] = [
  ...orderMoney.filter((name) => name !== 'totalPaid' && name !== 'grandTotal').map(twin),
  shippingDiscountTaxCompensation,
];

const lineFigures: readonly Twin[] = [...[...orderItemMoney, 'priceInclTax', 'rowTotalInclTax'].map(twin), weeeOfRow];

function figureOf(figures: object, name: string): Amount {
  const value: unknown = Reflect.get(figures, name);
  return typeof value === 'number' ? amount(value) : zero;
}

/** Absent and zero mean the same here: clients send zeros for what they do not know. */
function inBothCurrencies<Figures extends object>(
  figures: Figures,
  names: readonly Twin[],
  rated: RatedCurrencies,
): Figures {
  const found: [string, Amount][] = [];
  // An order has some two hundred figures, and a till sends nearly all of them in both currencies.
  for (const name of names) {
    const sent = { base: figureOf(figures, name.base), order: figureOf(figures, name.order) };
    const missing = missingIn(sent);
    if (missing !== undefined) found.push([name[missing], givenIn(missing, sent, rated)[missing]]);
  }
  return found.length === 0 ? figures : { ...figures, ...Object.fromEntries(found) };
}

/** The currency in which a figure was not sent, when it was sent in the other one. */
function missingIn(sent: InBoth): Currency | undefined {
  if ((sent.base === zero) === (sent.order === zero)) return undefined;
  return sent.base === zero ? 'base' : 'order';
}

/** The figure in both currencies, converted from the one that was sent. */
const givenIn = (missing: Currency, sent: InBoth, rated: RatedCurrencies): InBoth =>
  missing === 'base' ? givenInOrderCurrency(sent.order, rated) : givenInBase(sent.base, rated);

function withRow(line: OrderLine, coins: Coins): OrderLine {
  if (line.rowTotal !== undefined && line.baseRowTotal !== undefined) return line;
  const [price, row] = [twin('price'), twin('rowTotal')];
  const rows = currencies.map((currency): [string, Amount | undefined] => {
    const each = line[price[currency]];
    const worth = each === undefined ? undefined : scale(each, line.qtyOrdered, unitsPerWhole, coins[currency]);
    return [row[currency], line[row[currency]] ?? worth];
  });
  return { ...line, ...Object.fromEntries(rows) };
}

/** Fills totals that are missing in one currency: the sum of their parts, and the rest converted at the rate. */
function withTotals({ columns, lines }: PlacedFigures, rated: RatedCurrencies): PostedColumns {
  const own = lines.filter((line) => line.parentAt === undefined);
  const sum = (part: Twin) => inBoth((currency) => add(...own.map((line) => figureOf(line, part[currency]))));
  const discount = sum(twin('discountAmount'));
  const totals = [
    { total: twin('subtotal'), parts: sum(twin('rowTotal')) },
    { total: twin('taxAmount'), parts: sum(twin('taxAmount')) },
    { total: twin('discountAmount'), parts: inBoth((currency) => negate(discount[currency])) },
  ].reduce((sent, followed) => following(sent, followed, rated), columns);
  const whole = inBothCurrencies(totals, orderFigures, rated);
  const parts = inBoth((currency) => add(...grandParts.map((part) => figureOf(whole, part[currency]))));
  return following(whole, { total: twin('grandTotal'), parts }, rated);
}

const grandParts = ['subtotal', 'discountAmount', 'taxAmount', 'shippingAmount', 'discountTaxCompensationAmount'].map(
  twin,
);

interface Followed {
  total: Twin;
  /** The sum of its parts. */
  parts: InBoth;
}

function following(columns: PostedColumns, { total, parts }: Followed, rated: RatedCurrencies): PostedColumns {
  const sent = inBoth((currency) => figureOf(columns, total[currency]));
  const missing = missingIn(sent);
  if (missing === undefined) return columns;
  const beyond = inBoth((currency) => subtract(sent[currency], parts[currency]));
  return { ...columns, [total[missing]]: add(parts[missing], givenIn(missing, beyond, rated)[missing]) };
}

function refuseDeadEnd({ columns, lines }: PlacedFigures): void {
  const { grandTotal = zero, shippingAmount = zero, taxAmount = zero } = columns;
  if (!isPositive(grandTotal)) return;
  if (lines.length === 0) throw fieldRequired('items');
  // Money goes back for whole lines: what the parts of one cost is not asked for.
  const whole = lines.filter((line) => line.parentAt === undefined);
  const worth = whole.flatMap((line) => [figureOf(line, 'rowTotal'), figureOf(line, 'weeeTaxAppliedRowAmount')]);
  if (isPositive(add(...[...worth, shippingAmount, taxAmount].map(absolute)))) return;
  throw invalid('The lines of the order come to nothing, but its total is %grandTotal: none of it could be refunded.', {
    grandTotal: toWire(grandTotal),
  });
}
