import { minus, none, plus, quantityToWire, type Quantity } from '../money.ts';

/** Why the row of a product at a source did not move: no product has this SKU, or its stock is not managed. */
export type WhyUnmoved = 'no_product' | 'not_managed';

/** What the row of a product at a source did. */
export interface StockChange {
  sku: string;
  sourceCode: string;
  /** The sum of the moves that were requested; negative: it should leave. */
  requested: Quantity;
  /** The change of the row. */
  qty: Quantity;
  why: WhyUnmoved | null;
}

/** Why the row of a product at a source did not move; null: it did, or was not to. */
export const whyUnmoved = (
  changes: readonly StockChange[],
  move: Pick<StockChange, 'sku' | 'sourceCode'>,
): WhyUnmoved | null => changeAt(changes, move)?.why ?? null;

const changeAt = <Change extends StockChange>(
  changes: readonly Change[],
  { sku, sourceCode }: Pick<StockChange, 'sku' | 'sourceCode'>,
): Change | undefined => changes.find((change) => change.sku === sku && change.sourceCode === sourceCode);

const reasons: Record<WhyUnmoved, string> = {
  no_product: 'the product no longer exists',
  not_managed: 'its stock is not managed',
};

/** One sentence for a history: why goods that came back are in no stock. */
export const notPutIntoStock = ({ sku, qty, why }: { sku: string; qty: Quantity; why: WhyUnmoved }): string =>
  `${quantityToWire(qty)} of ${sku} not put into stock: ${reasons[why]}.`;

/** One sentence for a history: why goods that were handed over left no stock. */
export const notTakenFromStock = ({ sku, qty, why }: { sku: string; qty: Quantity; why: WhyUnmoved }): string =>
  `${quantityToWire(qty)} of ${sku} not taken from stock: ${reasons[why]}.`;

/** One sentence for a history: goods to write off that a source no longer had. */
export const notWrittenOff = ({ sku, qty }: { sku: string; qty: Quantity }): string =>
  `${quantityToWire(qty)} of ${sku} not written off: no longer in stock.`;

interface Requested {
  sku: string;
  sourceCode: string;
  qty: Quantity;
}

/**
 * How much of each request its row did. Requests of one product at one source share the row's change: what arrived is
 * counted in full, and what left is counted in the order of the requests.
 *
 * @returns signed quantities, in the order of the requests
 */
export function shareChanges(requests: readonly Requested[], changes: readonly StockChange[]): Quantity[] {
  const left = changes.map((change) => ({ ...change, out: outOf(requests, change) }));
  return requests.map((request) => {
    const { qty } = request;
    const row = changeAt(left, request);
    if (row === undefined || row.why !== null) return none;
    if (qty >= none) return qty;
    const taken = qty < row.out ? row.out : qty;
    row.out = minus(row.out, taken);
    return taken;
  });
}

/** What left a row, negative: its change less everything that arrived. */
const outOf = (requests: readonly Requested[], { sku, sourceCode, qty }: StockChange): Quantity =>
  minus(
    qty,
    plus(
      ...requests
        .filter((request) => request.sku === sku && request.sourceCode === sourceCode && request.qty > none)
        .map((request) => request.qty),
    ),
  );
