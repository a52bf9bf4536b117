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
import { coinsOf, type Coin, type Coins } from '../../../domain/money/coins.ts';
import { unitsPerWhole } from '../../../domain/money/fixed-point.ts';
import {
  givenInBase,
  givenInOrderCurrency,
  type RatedCurrencies,
} from '../../../domain/platform/credit-memos/credit-memo-currencies.ts';
import { basePrefixed } from '../../support/columns.ts';
import { orderMoney } from './order-columns.ts';
import { orderItemMoney } from './order-item.entity.ts';
import type { OrderLine } from './order-rows.ts';
import type { PostedColumns } from './posted-order.ts';

export interface PlacedFigures {
  columns: PostedColumns;
  lines: readonly OrderLine[];
}

/**
 * A new order's figures in both currencies, so that what is paid for it can be given back (our choice; stock stores what is
 * sent). A figure that is sent in one currency only follows by the rated, in coins, and a total follows its parts. A line
 * that names no row total has its price times its quantity.
 *
 * Refused with: 400 an order that is worth something and has no lines, or only such as come to nothing.
 */
export function completeOrder(sent: PlacedFigures, rated: RatedCurrencies): PlacedFigures {
  const lines = sent.lines.map((line) => inBoth(withRow(line, coinsOf(rated)), linePairs, rated));
  const columns = withTotals({ columns: sent.columns, lines }, rated);
  refuseDeadEnd({ columns, lines });
  return { columns, lines };
}

type Pair = readonly [own: string, base: string];

const paired = (names: readonly string[]): Pair[] => {
  const bases = basePrefixed(...names);
  return names.map((name, at): Pair => [name, bases[at] ?? name]);
};

/** What was paid follows the grand totals, once these are known. */
const orderPairs: readonly Pair[] = [
  ...paired(orderMoney.filter((name) => name !== 'totalPaid' && name !== 'grandTotal')),
  ['shippingDiscountTaxCompensationAmount', 'baseShippingDiscountTaxCompensationAmnt'],
];

const linePairs: readonly Pair[] = [
  ...paired([...orderItemMoney, 'priceInclTax', 'rowTotalInclTax']),
  ['weeeTaxAppliedRowAmount', 'baseWeeeTaxAppliedRowAmnt'],
];

function figureOf(figures: object, name: string): Amount {
  const value: unknown = Reflect.get(figures, name);
  return typeof value === 'number' ? amount(value) : zero;
}

/** Nothing and zero are the same here: clients send zeros for what they do not know. */
function inBoth<Figures extends object>(figures: Figures, pairs: readonly Pair[], rated: RatedCurrencies): Figures {
  const found = pairs.flatMap(([own, base]): [string, Amount][] => {
    const sent = { own: figureOf(figures, own), base: figureOf(figures, base) };
    if (sent.own !== zero && sent.base === zero) return [[base, givenInOrderCurrency(sent.own, rated).base]];
    if (sent.base !== zero && sent.own === zero) return [[own, givenInBase(sent.base, rated).order]];
    return [];
  });
  return found.length === 0 ? figures : { ...figures, ...Object.fromEntries(found) };
}

function withRow(line: OrderLine, coins: Coins): OrderLine {
  const row = (price: Amount | undefined, sent: Amount | undefined, coin: Coin) =>
    sent ?? (price === undefined ? undefined : scale(price, line.qtyOrdered, unitsPerWhole, coin));
  return {
    ...line,
    rowTotal: row(line.price, line.rowTotal, coins.order),
    baseRowTotal: row(line.basePrice, line.baseRowTotal, coins.base),
  };
}

/** The totals that are missing in one currency: the sum of their parts there, and whatever else they have by the rate. */
function withTotals({ columns, lines }: PlacedFigures, rated: RatedCurrencies): PostedColumns {
  const own = lines.filter((line) => line.parentAt === undefined);
  const sum = (name: string) => add(...own.map((line) => figureOf(line, name)));
  const parts = inBoth(
    [
      { name: 'subtotal', base: 'baseSubtotal', ofParts: sum('rowTotal'), ofBaseParts: sum('baseRowTotal') },
      { name: 'taxAmount', base: 'baseTaxAmount', ofParts: sum('taxAmount'), ofBaseParts: sum('baseTaxAmount') },
      {
        name: 'discountAmount',
        base: 'baseDiscountAmount',
        ofParts: negate(sum('discountAmount')),
        ofBaseParts: negate(sum('baseDiscountAmount')),
      },
    ].reduce((totals, part) => following(totals, part, rated), columns),
    orderPairs,
    rated,
  );
  const partsOf = (names: readonly string[]) => add(...names.map((name) => figureOf(parts, name)));
  const grandTotal = {
    name: 'grandTotal',
    base: 'baseGrandTotal',
    ofParts: partsOf(grandParts),
    ofBaseParts: partsOf(basePrefixed(...grandParts)),
  };
  return following(parts, grandTotal, rated);
}

const grandParts = ['subtotal', 'discountAmount', 'taxAmount', 'shippingAmount', 'discountTaxCompensationAmount'];

interface Total {
  name: string;
  base: string;
  ofParts: Amount;
  ofBaseParts: Amount;
}

function following(
  columns: PostedColumns,
  { name, base, ofParts, ofBaseParts }: Total,
  rated: RatedCurrencies,
): PostedColumns {
  const sent = { own: figureOf(columns, name), base: figureOf(columns, base) };
  if (sent.own !== zero && sent.base === zero) {
    return { ...columns, [base]: add(ofBaseParts, givenInOrderCurrency(subtract(sent.own, ofParts), rated).base) };
  }
  if (sent.base !== zero && sent.own === zero) {
    return { ...columns, [name]: add(ofParts, givenInBase(subtract(sent.base, ofBaseParts), rated).order) };
  }
  return columns;
}

function refuseDeadEnd({ columns, lines }: PlacedFigures): void {
  const { grandTotal = zero, shippingAmount = zero, taxAmount = zero } = columns;
  if (!isPositive(grandTotal)) return;
  if (lines.length === 0) throw fieldRequired('items');
  const worth = lines.flatMap((line) => [figureOf(line, 'rowTotal'), figureOf(line, 'weeeTaxAppliedRowAmount')]);
  if (isPositive(add(...[...worth, shippingAmount, taxAmount].map(absolute)))) return;
  throw invalid('The lines of the order come to nothing, but its total is %grandTotal: none of it could be refunded.', {
    grandTotal: toWire(grandTotal),
  });
}
