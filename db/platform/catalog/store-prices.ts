import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { ownValuesAt, type ValuePlace } from '../../../domain/platform/catalog/scoped-values.ts';
import {
  noSpecialPrice,
  priceFaults,
  specialFaults,
  costFaults,
  skuKey,
  type CostRow,
  type BasePriceRow,
  type PriceFault,
  type RowContext,
  type SpecialPriceRow,
} from '../../../domain/platform/catalog/tier-rows.ts';
import { formatAmount, toPlain } from '../../../domain/money.ts';
import { requestedProductsMissing } from '../../../domain/refusals/catalog.ts';
import { transact } from '../../support/transact.ts';
import { StoreView } from '../stores/store.entity.ts';
import { storedSkus } from '../inventory/source-items.ts';
import { assignAttributes } from './attributes.ts';
import { assignScopedValues, everywhere, hasViews, firstDay } from './assign-scoped-values.ts';
import { Product } from './product.entity.ts';

/**
 * Sets prices of many products at once (platform facts 9.1). Valid rows are saved together; each other row gets its
 * errors in the answer. Safe to repeat.
 */
export const setBasePrices = (em: EntityManager, rows: readonly BasePriceRow[]): Promise<PriceFault[]> =>
  eachRow(em, rows, priceFaults, (product, { price }) => {
    if (price !== undefined) product.price = price;
  });

/** Sets costs, global or of a website. Otherwise as above. */
export const setCosts = (em: EntityManager, rows: readonly CostRow[]): Promise<PriceFault[]> =>
  eachRow(em, rows, costFaults, (product, { cost }, place) => {
    if (cost !== undefined) give(product, { cost: toPlain(cost) }, place);
  });

/** Special prices, of a website or everywhere, from a day to a day. As above; without a first day they begin today. */
export async function setSpecialPrices(
  em: EntityManager,
  rows: readonly SpecialPriceRow[],
  { now }: { now: Date },
): Promise<PriceFault[]> {
  const today = await firstDay(em, now);
  return eachRow(em, rows, specialFaults, (product, { price, from, to }, place) => {
    if (price === undefined) return;
    const days = { special_from_date: from ?? today ?? null, special_to_date: to ?? null };
    give(product, { special_price: toPlain(price), ...days }, place);
  });
}

/** Removes special prices that match their row exactly. Each other row is answered as a price that does not exist. */
export const dropSpecialPrices = (em: EntityManager, rows: readonly SpecialPriceRow[]): Promise<PriceFault[]> =>
  transact(em, async (tx) => {
    const { products, placeOf } = await lockGoods(tx, rows);
    const faults: PriceFault[] = [];
    for (const row of rows) {
      const [product, place] = [products.get(skuKey(row.sku)), placeOf(row.storeId)];
      if (product && place && isSpecial(product, row, place)) give(product, noSpecial, place);
      else faults.push(noSpecialPrice(row));
    }
    await tx.flush();
    return faults;
  });

/** Removes all costs of products. Refused with 404: an unknown sku; then nothing is removed. */
export const dropCosts = (em: EntityManager, skus: readonly string[]): Promise<void> =>
  transact(em, async (tx) => {
    const { products } = await lockGoods(
      tx,
      skus.map((sku) => ({ sku })),
    );
    requireAll(
      skus,
      [...products.values()].map(({ sku }) => sku),
    );
    for (const product of products.values()) {
      const { cost: _cost, ...attributes } = product.customAttributes;
      product.customAttributes = attributes;
      product.scopedValues = Object.fromEntries(
        Object.entries(product.scopedValues).map(([key, { customAttributes, ...values }]) => {
          const { cost: _own, ...own } = customAttributes ?? {};
          return [key, { ...values, customAttributes: own }];
        }),
      );
    }
    await tx.flush();
  });

/** Refused with 404, in the platform's words: unknown skus. */
export function requireAll(skus: readonly string[], known: readonly string[]): void {
  const keys = new Set(known.map(skuKey));
  const unknown = skus.filter((sku) => !keys.has(skuKey(sku)));
  if (unknown.length > 0) throw requestedProductsMissing({ sku: unknown.join(', ') });
}

const noSpecial = { special_price: null, special_from_date: null, special_to_date: null };

type Change<Row> = (product: Product, row: Row, place: ValuePlace) => void;

const eachRow = <Row extends { sku: string; storeId: number }>(
  em: EntityManager,
  rows: readonly Row[],
  faultsOf: (row: Row, context: RowContext) => PriceFault[],
  change: Change<Row>,
): Promise<PriceFault[]> =>
  transact(em, async (tx) => {
    const { products, placeOf } = await lockGoods(tx, rows);
    const faults: PriceFault[] = [];
    for (const row of rows) {
      const [product, place] = [products.get(skuKey(row.sku)), placeOf(row.storeId)];
      const found = faultsOf(row, { hasProduct: product !== undefined, hasStore: place !== undefined });
      faults.push(...found);
      if (found.length === 0 && product && place) change(product, row, place);
    }
    await tx.flush();
    return faults;
  });

/** Products whose price comes from their parts. */
const withoutPrice: readonly string[] = ['configurable', 'grouped'];

/** Locks products in the order of their skus, so that two calls cannot block each other; by `skuKey`. */
export async function lockProducts(em: EntityManager, skus: readonly string[]): Promise<Map<string, Product>> {
  const stored = await storedSkus(em, skus);
  const requested = { sku: { $in: [...new Set(skus.map(stored))] } };
  const found = await em.find(Product, requested, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { sku: 'asc' } });
  return new Map(found.map((product) => [skuKey(product.sku), product]));
}

async function lockGoods(em: EntityManager, rows: readonly { sku: string }[]) {
  const locked = await lockProducts(
    em,
    rows.map(({ sku }) => sku),
  );
  const views = await em.findAll(StoreView);
  const hasOwn = await hasViews(em);
  const placeOf = (storeId: number): ValuePlace | undefined => {
    const view = views.find((one) => one.storeId === storeId);
    return view && (hasOwn ? view : everywhere);
  };
  return { products: new Map([...locked].filter(([, { typeId }]) => !withoutPrice.includes(typeId))), placeOf };
}

function give(product: Product, values: Record<string, unknown>, place: ValuePlace): void {
  const { customAttributes } = assignScopedValues(product, { customAttributes: values }, place);
  assignAttributes(product, customAttributes);
}

function isSpecial(product: Product, { price, from }: SpecialPriceRow, place: ValuePlace): boolean {
  // What the place only inherits cannot be taken away there.
  const values =
    place.storeId === 0 ? product.customAttributes : (ownValuesAt(product.scopedValues, place)?.customAttributes ?? {});
  const special = Number(values['special_price']);
  const isSame = price !== undefined && special === Number(formatAmount(price));
  return isSame && (from === undefined || dayOf(values['special_from_date']) === dayOf(from));
}

const dayOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 10) : '');
