import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { formatQuantity, minimum, none, plus, type Quantity } from '../../../domain/money.ts';
import { isInStock, stockRulesOf } from '../../../domain/platform/stock-rules.ts';
import { quantityNotAvailable, sourceNotFound } from '../../../domain/refusals/inventory.ts';
import {
  integer,
  integers,
  listText,
  orNull,
  quantity as aQuantity,
  definite,
  text,
  texts,
} from '../../support/entity-columns.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import type { ReservationEvent } from './stock.entity.ts';
import { ownStockRuleColumns, ownStockRules, stockSettings, stockSettingsKind } from './stock-rules-sql.ts';

/** Goods that arrive at a source, or leave it when the quantity is negative. */
export interface StockMove {
  sku: string;
  sourceCode: string;
  qty: Quantity;
  /** Takes at most what the source has, instead of refusing. */
  isAsFarAsThere?: boolean;
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
 */
export async function moveStock(em: EntityManager, requested: readonly StockMove[]): Promise<void> {
  const moves = together(requested);
  if (moves.length === 0) return;
  const there = await lockSourceItems(em, moves);
  const managed = moves.filter((move) => there.some((item) => isOf(item, move)));
  if (managed.length === 0) return;
  const items = [
    ...there,
    ...(await makeRoom(
      em,
      managed.filter((move) => isNewPlace(there, move)),
    )),
  ];
  await writeQuantities(
    em,
    managed.map((move) => moved(items.filter(lies), move)),
  );
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
    sums.set(key, { ...move, qty: plus(sum?.qty ?? none, move.qty), isAsFarAsThere });
  }
  return [...sums.values()].filter((move) => move.qty !== none);
}

const keys = { skus: texts, sourceCodes: texts };

/** Rare, so it may lock out of order: two that meet just so are a deadlock, and one of them begins anew. */
async function makeRoom(em: EntityManager, moves: readonly StockMove[]): Promise<FoundItem[]> {
  if (moves.length === 0) return [];
  await room.run(em, keysOf(moves));
  return lockSourceItems(em, moves);
}

const room = statement({
  takes: keys,
  text: `
    insert into inventory_source_item (sku, source_code, quantity, status)
    select m.sku, s.source_code, 0, 0 from unnest($skus::text[], $sourceCodes::text[]) as m(sku, source_code)
      join inventory_source s on s.source_code = m.source_code
    order by 1, 2
    on conflict (sku, source_code) do nothing`,
});

const lockSourceItems = (em: EntityManager, moves: readonly StockMove[]): Promise<FoundItem[]> =>
  lock.all(em, keysOf(moves));

/** Of products with stock management alone; no quantity: it never lay there. */
const lock = statement({
  takes: keys,
  gives: {
    sku: definite(text),
    sourceCode: definite(text),
    quantity: orNull(aQuantity),
    minQty: definite(aQuantity),
    ...ownStockRules,
    ...stockSettingsKind,
  },
  text: `
    with locked as materialized (
      select i.sku, i.source_code, i.quantity
      from inventory_source_item i
      join unnest($skus::text[], $sourceCodes::text[]) as m(sku, source_code)
        on m.sku = i.sku and m.source_code = i.source_code
      join product p on p.sku = i.sku and p.manage_stock
      order by i.sku, i.source_code for update of i
    )
    select m.sku, m.source_code, l.quantity, coalesce(p.min_qty, 0) as min_qty,
      ${ownStockRuleColumns('p')}, ${stockSettings} as settings
    from unnest($skus::text[], $sourceCodes::text[]) as m(sku, source_code)
    join product p on p.sku = m.sku and p.manage_stock
    left join locked l on l.sku = m.sku and l.source_code = m.source_code`,
});

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
  return { sku, sourceCode, quantity: left, status: isInStock(left, rules) ? 1 : 0 };
}

const writeQuantities = (em: EntityManager, rows: readonly ReturnType<typeof moved>[]) =>
  write.run(em, {
    ...keysOf(rows),
    quantities: `{${rows.map((row) => formatQuantity(row.quantity)).join(',')}}`,
    statuses: rows.map((row) => row.status),
  });

const write = statement({
  takes: { ...keys, quantities: listText('numeric[]'), statuses: integers },
  text: `
    update inventory_source_item i set quantity = m.quantity, status = m.status
    from unnest($skus::text[], $sourceCodes::text[], $quantities::numeric[], $statuses::int[])
      as m(sku, source_code, quantity, status)
    where i.sku = m.sku and i.source_code = m.source_code`,
});

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

const promise = statement({
  takes: { orderId: integer, storeId: integer, eventType: text, skus: texts, qtys: listText('numeric[]') },
  text: `
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
    select stock_id, sku, quantity, $eventType, $orderId from change where stock_id is not null order by sku`,
});
