import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchProduct } from '../../../domain/errors.ts';
import { formatQuantity, minus, none, type Quantity } from '../../../domain/money.ts';
import { storedSkuAmong } from '../../../domain/platform/catalog/tier-rows.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import {
  salableQuantity,
  stockRulesOf,
  transferErrors,
  transferRefused,
  type StockStanding,
  type StockTransfer,
} from '../../../domain/platform/stock-rules.ts';
import type { StockChange } from '../../../domain/platform/stock-changes.ts';
import { isAmongSkus, isSku } from '../../support/columns.ts';
import { flag, integer, json, listOf, quantity, definite } from '../../support/entity-columns.ts';
import { search } from '../../support/search.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { moveStock, type StockMove } from './move-stock.ts';
import { defaultSource } from './read-stock-item.ts';
import { ownStockRuleColumns, ownStockRules, stockSettings, stockSettingsKind } from './stock-rules-sql.ts';

export interface SourceItemQuantity {
  sku: string;
  sourceCode: string;
  quantity: Quantity;
  /** 1 in stock, 0 out of stock. */
  status: number;
}

/**
 * Sets the quantities of products at sources: absolute figures, so a repeat changes nothing (platform facts 10).
 *
 * One statement in the order of sku, then source, as all stock rows are locked; of two rows for one place the last
 * counts.
 */
export async function setSourceItems(em: EntityManager, items: readonly SourceItemQuantity[]): Promise<void> {
  const byPlace = new Map(items.map((item) => [`${item.sku}\n${item.sourceCode}`, item]));
  if (byPlace.size === 0) return;
  const rows = [...byPlace.values()].map(({ sku, sourceCode, quantity, status }) => ({
    sku,
    source_code: sourceCode,
    quantity: formatQuantity(quantity),
    status,
  }));
  await set.run(em, { rows });
}

const set = sql('source-items.set', { takes: { rows: json<object[]>() } })`
  insert into inventory_source_item (sku, source_code, quantity, status)
  select sku, source_code, quantity, status
  from jsonb_to_recordset($rows::jsonb) as row (sku text, source_code text, quantity numeric, status int)
  order by sku, source_code
  on conflict (sku, source_code) do update set quantity = excluded.quantity, status = excluded.status`;

/** How the catalog writes SKUs; one that it does not have stays as it was given. */
export async function storedSkus(em: EntityManager, skus: readonly string[]): Promise<(sku: string) => string> {
  const known = skus.length === 0 ? [] : await selectSourceItems.all(em, { skus });
  return storedSkuAmong(known.map(({ sku }) => sku));
}

/** The same of rows that name products. */
export async function withStoredSkus<Row extends { sku: string }>(
  em: EntityManager,
  rows: readonly Row[],
): Promise<Row[]> {
  const stored = await storedSkus(
    em,
    rows.map(({ sku }) => sku),
  );
  return rows.map((row) => ({ ...row, sku: stored(row.sku) }));
}

const selectSourceItems = sql(
  'source-items.selectSourceItems',
)`select p.sku from product p where ${isAmongSkus('p.sku')}`;

/**
 * Removes products from sources, whatever their quantities (platform facts 10). A repeat changes nothing. Rows are
 * locked in the order of sku, then source, as everywhere.
 */
export const deleteSourceItems = async (
  em: EntityManager,
  input: readonly { sku: string; sourceCode: string }[],
): Promise<void> => {
  const items = await withStoredSkus(em, input);
  await remove.all(em, { skus: items.map(({ sku }) => sku), sourceCodes: items.map(({ sourceCode }) => sourceCode) });
};

const remove = sql('source-items.remove')`
  with locked as (
    select i.source_item_id from inventory_source_item i
    join (select distinct sku, source_code from unnest($skus::text[], $sourceCodes::text[]) as given (sku,
      source_code)) named
      on named.sku = i.sku and named.source_code = i.source_code
    order by i.sku, i.source_code
    for update of i)
  delete from inventory_source_item i using locked
  where i.source_item_id = locked.source_item_id
  returning i.source_item_id`;

export interface SourceItemRow {
  sku: string;
  source_code: string;
  quantity: string;
  status: number;
}

export const searchSourceItems = (em: EntityManager, criteria: SearchCriteria) =>
  search<SourceItemRow>(em, criteria, {
    table: 'inventory_source_item',
    columns: 'sku, source_code, quantity, status',
    fields: {
      source_item_id: { column: 'source_item_id', type: 'integer' },
      sku: { column: 'sku', type: 'text' },
      source_code: { column: 'source_code', type: 'text' },
      quantity: { column: 'quantity', type: 'decimal' },
      status: { column: 'status', type: 'integer' },
    },
    order: 'source_item_id',
    kept: { list: 'inventory_source_item', alias: 'inventory_source_item' },
    maxRows: 100_000,
  });

/** The existing ones among these codes. */
export const existingSources = async (em: EntityManager, codes: readonly string[]): Promise<Set<string>> =>
  new Set((await readCodes.all(em, { codes })).map((row) => row.sourceCode));

const readCodes = sql('source-items.readCodes')`
  select source_code from inventory_source where source_code = any($codes::text[])`;

/**
 * Moves goods from one source to another: all of them or none. A repeat moves them again.
 *
 * Quantities are read before the locks, to report all errors at once, and checked again under the locks. Refused with
 * 400: unknown sources · more than the origin has.
 */
export const transferStock = (em: EntityManager, input: StockTransfer): Promise<void> =>
  transact(em, async (tx) => {
    const transfer = { ...input, items: await withStoredSkus(tx, input.items) };
    const { from, to, items } = transfer;
    const facts = { sources: await existingSources(tx, [from, to]), atOrigin: await lieAt(tx, transfer) };
    const errors = transferErrors(transfer, facts);
    if (errors.length > 0) throw transferRefused(errors);
    await moveStock(
      tx,
      items.flatMap(({ sku, qty }) => [
        { sku, sourceCode: from, qty: minus(none, qty), isEvenUnmanaged: true },
        { sku, sourceCode: to, qty, isEvenUnmanaged: true },
      ]),
    );
  });

async function lieAt(em: EntityManager, { from, items }: StockTransfer): Promise<Map<string, Quantity>> {
  const rows = await held.all(em, { from, skus: items.map(({ sku }) => sku) });
  return new Map(rows.map(({ sku, quantity }) => [sku, quantity]));
}

const held = sql('source-items.held')`
  select sku, quantity from inventory_source_item where source_code = $from and sku = any($skus::text[])`;

/** Takes goods out of a source's stock. Refused with: 400 when it has less. See `moveStock`. */
export const deductFromSource = (em: EntityManager, ...goods: readonly StockMove[]): Promise<readonly StockChange[]> =>
  moveStock(
    em,
    goods.map((move) => ({ ...move, qty: minus(none, move.qty) })),
  );

/** A product in single-source mode: its quantity at the default source, and whether it may be sold. */
export type StockStatus = RowFrom<typeof ofSku>;

const gives = { productId: integer, qty: quantity, isInStock: flag };

const columns = `
  p.entity_id as product_id, coalesce(i.quantity, 0) as qty, (not p.manage_stock or coalesce(i.status, 0) = 1) as is_in_stock`;

const ofSku = sql('source-items.ofSku', { gives })`
  select ${columns}
  from product p left join inventory_source_item i on i.sku = p.sku and i.source_code = (${defaultSource})
  where ${isSku('p.sku')}`;

/** Refused with: 404 unknown sku. */
export async function readStockStatus(em: EntityManager, sku: string): Promise<StockStatus> {
  const row = await ofSku.first(em, { sku });
  if (!row) throw noSuchProduct(sku);
  return row;
}

const low = sql('source-items.low', { takes: { atMost: quantity }, gives })`
  select ${columns}, count(*) over () as total
  from inventory_source_item i join product p on p.sku = i.sku
  where i.source_code = (${defaultSource}) and p.manage_stock and i.quantity <= $atMost
  order by i.quantity, p.entity_id
  limit $limit offset $offset`;

const total = sql('source-items.total', { takes: { atMost: quantity } })`
  select count(*) as total
  from inventory_source_item i join product p on p.sku = i.sku
  where i.source_code = (${defaultSource}) and p.manage_stock and i.quantity <= $atMost`;

/**
 * Managed products with at most this quantity at the default source, the lowest first. A page beyond the end is
 * empty.
 */
export async function findLowStock(
  em: EntityManager,
  { atMost, pageSize, currentPage }: { atMost: Quantity; pageSize: number; currentPage: number },
): Promise<{ rows: StockStatus[]; totalCount: number }> {
  const rows = await low.all(em, { atMost, limit: pageSize, offset: (currentPage - 1) * pageSize });
  const counted = rows[0]?.total ?? (await total.first(em, { atMost }))?.total ?? 0;
  return { rows, totalCount: counted };
}

/** The quantity of a product at a source. */
export type QuantityAtSource = RowFrom<typeof byPriority>;

/**
 * The quantities of products at the enabled sources of a stock, where in stock, by the stock's priority (platform
 * facts 10).
 */
export const readQuantitiesByPriority = (
  em: EntityManager,
  input: { stockId: number; skus: readonly string[] },
): Promise<QuantityAtSource[]> => byPriority.all(em, input);

const byPriority = sql('source-items.byPriority')`
  select i.sku, i.source_code, i.quantity
  from inventory_stock_source l
    join inventory_source s on s.source_code = l.source_code and s.is_enabled
    join inventory_source_item i on i.source_code = l.source_code and i.status = 1
  where l.stock_id = $stockId and i.sku = any($skus)
  order by l.priority, l.link_id, i.sku`;

export interface Salability extends StockStanding {
  sku: string;
  typeId: string;
  /** Whether one more may be sold. */
  isSalable: boolean;
}

/** The salability of products in a stock (platform facts 10). Unknown products are left out. */
export async function readSalability(
  em: EntityManager,
  { skus, stockId }: { skus: readonly string[]; stockId: number },
): Promise<Salability[]> {
  if (skus.length === 0) return [];
  return (await selectSalability.all(em, { skus, stockId })).map(salabilityOf);
}

const selectSalability = sql('source-items.selectSalability', {
  gives: {
    ...ownStockRules,
    ...stockSettingsKind,
    minQty: definite(quantity),
    reserved: definite(quantity),
    sources: definite(listOf({ quantity, status: integer, isEnabled: flag })),
  },
})`
  select p.sku, p.type_id, p.manage_stock, p.is_qty_decimal, coalesce(p.min_qty, 0) as min_qty,
    ${ownStockRuleColumns('p')}, ${stockSettings} as settings,
    (select coalesce(sum(r.quantity), 0) from inventory_reservation r
     where r.stock_id = $stockId and r.sku = p.sku) as reserved,
    (select coalesce(jsonb_agg(jsonb_build_object('quantity', i.quantity::text, 'status', i.status,
      'isEnabled', s.is_enabled)), '[]')
     from inventory_stock_source l
       join inventory_source s on s.source_code = l.source_code
       join inventory_source_item i on i.source_code = l.source_code and i.sku = p.sku
     where l.stock_id = $stockId) as sources
  from product p where ${isAmongSkus('p.sku')}`;

function salabilityOf(row: RowFrom<typeof selectSalability>): Salability {
  const sources = row.sources
    .filter(({ isEnabled }) => isEnabled)
    .map((source) => ({ quantity: source.quantity, isInStock: source.status === 1 }));
  const left = salableQuantity(sources, row.reserved, row.minQty);
  const isInStock = sources.some((source) => source.isInStock);
  const { backorders, ...rules } = stockRulesOf(row, row.settings);
  const allowsBackorders = backorders > 0;
  const isOffered = isInStock && (allowsBackorders || left > none);
  return {
    sku: row.sku,
    typeId: row.typeId,
    quantity: left,
    isAssigned: row.sources.length > 0,
    isCounted: sources.length > 0,
    isManaged: row.manageStock,
    isInStock,
    isQtyDecimal: row.isQtyDecimal,
    allowsBackorders,
    ...rules,
    isSalable: !row.manageStock || isOffered,
  };
}
