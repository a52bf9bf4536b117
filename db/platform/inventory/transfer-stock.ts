import type { EntityManager } from '@mikro-orm/postgresql';
import { minus, none, type Quantity } from '../../../domain/money/quantity.ts';
import { transferErrors, transferRefused, type StockTransfer } from '../../../domain/platform/stock-transfer.ts';
import { text, texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { moveStock } from './move-stock.ts';
import { existingSources } from './existing-sources.ts';
import { withStoredSkus } from './stored-skus.ts';
import { SourceItem } from './source-item.entity.ts';

/**
 * Moves goods from one source to another: all of them or none. A repeat moves them again.
 *
 * Quantities are read before the locks, to report all errors at once, and checked again under the locks. Refused with
 * 400: unknown sources · more than the origin has.
 */
export const transferStock = (em: EntityManager, given: StockTransfer): Promise<void> =>
  transact(em, async (tx) => {
    const transfer = { ...given, items: await withStoredSkus(tx, given.items) };
    const { from, to, items } = transfer;
    const facts = { sources: await existingSources(tx, [from, to]), atOrigin: await lieAt(tx, transfer) };
    const errors = transferErrors(transfer, facts);
    if (errors.length > 0) throw transferRefused(errors);
    await moveStock(
      tx,
      items.flatMap(({ sku, qty }) => [
        { sku, sourceCode: from, qty: minus(none, qty) },
        { sku, sourceCode: to, qty },
      ]),
    );
  });

async function lieAt(em: EntityManager, { from, items }: StockTransfer): Promise<Map<string, Quantity>> {
  const rows = await held.all(em, { from, skus: items.map(({ sku }) => sku) });
  return new Map(rows.map(({ sku, quantity }) => [sku, quantity]));
}

const held = statement({
  takes: { from: text, skus: texts },
  gives: of(SourceItem, 'sku', 'quantity'),
  text: `
    select sku, quantity from inventory_source_item where source_code = $from and sku = any($skus::text[])`,
});
