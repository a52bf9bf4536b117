import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { formatQuantity, minimum, minus, none, plus, type Quantity } from '../../../domain/money.ts';
import type { StockChange, WhyUnmoved } from '../../../domain/platform/stock-changes.ts';
import { isInStock, stockRulesOf } from '../../../domain/platform/stock-rules.ts';
import { quantityNotAvailable, sourceNotFound } from '../../../domain/refusals/inventory.ts';
import { listText, orNull, quantity as aQuantity, definite } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import type { ReservationEvent } from './stock.entity.ts';
import { ownStockRuleColumns, ownStockRules, stockSettings, stockSettingsKind } from './stock-rules-sql.ts';

/** Goods that arrive at a source, or leave it when the quantity is negative. */
export interface StockMove {
  sku: string;
  sourceCode: string;
  qty: Quantity;
  /** Takes at most what the source has, instead of refusing. */
  isAsFarAsThere?: boolean;
  /** Moves the row of a product whose stock is not managed as well: a transfer, or goods that its row took in. */
  isEvenUnmanaged?: boolean;
}

type FoundItem = RowFrom<typeof lock>;
type LockedItem = FoundItem & { quantity: Quantity };

/**
 * Moves goods into and out of sources, in the caller's transaction. A repeat moves them again, so callers call it
 * once.
 *
 * Products without stock management, and unknown products, are skipped. Source items are locked last, in ascending
 * order of sku and source.
 *
 * Refused with: 400 a source with less than should leave it, or an unknown destination.
 *
 * @returns what each row did, one entry per product and source
 */
export async function moveStock(em: EntityManager, requested: readonly StockMove[]): Promise<readonly StockChange[]> {
  const moves = together(requested);
  if (moves.length === 0) return [];
  const there = await lockSourceItems(em, moves);
  const whys = new Map(moves.map((move) => [move, whyUnmoved(there, move)]));
  const movable = moves.filter((move) => whys.get(move) === null);
  const written = movable.length === 0 ? [] : await writeMoves(em, there, movable);
  return moves.map((move) => {
    const { sku, sourceCode, qty: requestedQty } = move;
    const qty = written.find((row) => isOf(row, move))?.change ?? none;
    return { sku, sourceCode, requested: requestedQty, qty, why: whys.get(move) ?? null };
  });
}

async function writeMoves(em: EntityManager, there: readonly FoundItem[], moves: readonly StockMove[]) {
  const room = await makeRoom(
    em,
    moves.filter((move) => isNewPlace(there, move)),
  );
  const items = [...there, ...room].filter(lies);
  const rows = moves.map((move) => moved(items, move));
  await writeQuantities(em, rows);
  return rows;
}

function whyUnmoved(items: readonly FoundItem[], move: StockMove): WhyUnmoved | null {
  const item = items.find((found) => isOf(found, move));
  if (item?.isManaged === true || move.isEvenUnmanaged === true) return null;
  return item?.isKnown === true ? 'not_managed' : 'no_product';
}

type ItemKey = Pick<StockMove, 'sku' | 'sourceCode'>;

const isOf = (one: ItemKey, other: ItemKey) => one.sku === other.sku && one.sourceCode === other.sourceCode;

/** A product may arrive where it never lay before; a place is never taken away from it. */
const isNewPlace = (items: readonly FoundItem[], move: StockMove) =>
  move.qty > none && !items.some((item) => lies(item) && isOf(item, move));

const lies = (item: FoundItem): item is LockedItem => item.quantity !== null;

/** One move per product and source. */
function together(moves: readonly StockMove[]): StockMove[] {
  const sums = new Map<string, StockMove>();
  for (const move of moves) {
    const key = JSON.stringify([move.sku, move.sourceCode]);
    const sum = sums.get(key);
    const isAsFarAsThere = (sum?.isAsFarAsThere ?? false) || (move.isAsFarAsThere ?? false);
    const isEvenUnmanaged = (sum?.isEvenUnmanaged ?? false) || (move.isEvenUnmanaged ?? false);
    sums.set(key, { ...move, qty: plus(sum?.qty ?? none, move.qty), isAsFarAsThere, isEvenUnmanaged });
  }
  return [...sums.values()].filter((move) => move.qty !== none);
}

/** Rare, so it may lock out of order: two that meet just so are a deadlock, and one of them begins anew. */
async function makeRoom(em: EntityManager, moves: readonly StockMove[]): Promise<FoundItem[]> {
  if (moves.length === 0) return [];
  await room.run(em, keysOf(moves));
  return lockSourceItems(em, moves);
}

const room = sql('move-stock.room')`
  insert into inventory_source_item (sku, source_code, quantity, status)
  select m.sku, s.source_code, 0, 0 from unnest($skus::text[], $sourceCodes::text[]) as m(sku, source_code)
    join inventory_source s on s.source_code = m.source_code
  order by 1, 2
  on conflict (sku, source_code) do nothing`;

const lockSourceItems = (em: EntityManager, moves: readonly StockMove[]): Promise<FoundItem[]> =>
  lock.all(em, {
    ...keysOf(moves),
    unmanagedToo: `{${moves.map((move) => move.isEvenUnmanaged === true).join(',')}}`,
  });

/** Rows of products without stock management are locked only where they move as well. No quantity: there is no row. */
const lock = sql('move-stock.lock', {
  takes: { unmanagedToo: listText('boolean[]') },
  gives: { quantity: orNull(aQuantity), minQty: definite(aQuantity), ...ownStockRules, ...stockSettingsKind },
})`
  with locked as materialized (
    select i.sku, i.source_code, i.quantity
    from inventory_source_item i
    join unnest($skus::text[], $sourceCodes::text[], $unmanagedToo::boolean[]) as m(sku, source_code, unmanaged_too)
      on m.sku = i.sku and m.source_code = i.source_code
    left join product p on p.sku = i.sku
    where p.manage_stock or m.unmanaged_too
    order by i.sku, i.source_code for update of i
  )
  select m.sku, m.source_code, l.quantity, p.sku is not null as is_known,
    coalesce(p.manage_stock, false) as is_managed, coalesce(p.min_qty, 0) as min_qty,
    ${ownStockRuleColumns('p')}, ${stockSettings} as settings
  from unnest($skus::text[], $sourceCodes::text[]) as m(sku, source_code)
  left join product p on p.sku = m.sku
  left join locked l on l.sku = m.sku and l.source_code = m.source_code`;

const keysOf = (moves: readonly Pick<StockMove, 'sku' | 'sourceCode'>[]) => ({
  skus: moves.map((move) => move.sku),
  sourceCodes: moves.map((move) => move.sourceCode),
});

function moved(items: readonly LockedItem[], { sku, sourceCode, qty, isAsFarAsThere }: StockMove) {
  const item = items.find((one) => one.sku === sku && one.sourceCode === sourceCode);
  if (!item && qty > none) throw invalid(sourceNotFound.message, { value: sourceCode });
  const there = item?.quantity ?? none;
  const rest = plus(there, qty);
  const isTooMuch = !item || rest < none;
  if (isTooMuch && !isAsFarAsThere) throw quantityNotAvailable();
  const left = isTooMuch ? minimum(there, none) : rest;
  const allowsBackorders = item !== undefined && stockRulesOf(item, item.settings).backorders > 0;
  const rules = { minQty: item?.minQty ?? none, allowsBackorders };
  const change = item ? minus(left, there) : none;
  return { sku, sourceCode, quantity: left, change, status: isInStock(left, rules) ? 1 : 0 };
}

const writeQuantities = (em: EntityManager, rows: readonly ReturnType<typeof moved>[]) =>
  write.run(em, {
    ...keysOf(rows),
    quantities: `{${rows.map((row) => formatQuantity(row.quantity)).join(',')}}`,
    statuses: rows.map((row) => row.status),
  });

const write = sql('move-stock.write', { takes: { quantities: listText('numeric[]') } })`
  update inventory_source_item i set quantity = m.quantity, status = m.status
  from unnest($skus::text[], $sourceCodes::text[], $quantities::numeric[], $statuses::int[])
    as m(sku, source_code, quantity, status)
  where i.sku = m.sku and i.source_code = m.source_code`;

export interface Reserve {
  orderId: number;
  storeId: number;
  eventType: ReservationEvent;
  /** Signed: a reservation is negative, releasing it is positive. */
  lines: readonly { sku: string; qty: Quantity }[];
}

/**
 * Reserves goods of the store's stock for an order, or releases them (platform facts 10). Append-only.
 *
 * Only products with stock management are reserved, and they cannot be deleted until the commit. A release never
 * exceeds what is still reserved for the order. So a finished order's rows sum to zero, even when the product has
 * changed since.
 */
export async function reserve(em: EntityManager, { orderId, storeId, eventType, lines }: Reserve): Promise<void> {
  const moving = lines.filter((line) => line.qty !== 0);
  if (moving.length === 0) return;
  const skus = moving.map((line) => line.sku);
  const qtys = `{${moving.map((line) => formatQuantity(line.qty)).join(',')}}`;
  await promise.run(em, { orderId, storeId, eventType, skus, qtys });
}

/** The stock whose sales channels name the store's website. */
const stockOfStore = `
  select s.stock_id from store_view v
    join website w on w.website_id = v.website_id
    join inventory_stock s on s.website_codes @> to_jsonb(array[w.code])
  where v.store_id = $storeId order by s.stock_id limit 1`;

const promise = sql('move-stock.promise', { takes: { qtys: listText('numeric[]') } })`
  with line as (
    select sku, sum(qty) as qty from unnest($skus::text[], $qtys::numeric[]) as l(sku, qty) group by sku
  ), managed as materialized (
    select p.sku from product p
    where p.manage_stock and p.sku in (select sku from line where qty < 0) order by p.sku for key share
  ), promised as (
    select sku, stock_id, sum(quantity) as quantity from inventory_reservation
    where order_id = $orderId group by sku, stock_id
  ), change as (
    select (${stockOfStore}) as stock_id, line.sku, line.qty as quantity
    from line join managed on managed.sku = line.sku
    where line.qty < 0
    union all
    select promised.stock_id, line.sku, least(line.qty, -promised.quantity)
    from line join promised on promised.sku = line.sku
    where line.qty > 0 and promised.quantity < 0
  )
  insert into inventory_reservation (stock_id, sku, quantity, event_type, order_id)
  select stock_id, sku, quantity, $eventType, $orderId from change where stock_id is not null order by sku`;
