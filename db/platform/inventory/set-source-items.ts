import type { EntityManager } from '@mikro-orm/postgresql';
import { formatQuantity, type Quantity } from '../../../domain/money/quantity.ts';
import { json } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

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

const set = statement({
  takes: { rows: json<object[]>() },
  text: `
    insert into inventory_source_item (sku, source_code, quantity, status)
    select sku, source_code, quantity, status
    from jsonb_to_recordset($rows::jsonb) as row (sku text, source_code text, quantity numeric, status int)
    order by sku, source_code
    on conflict (sku, source_code) do update set quantity = excluded.quantity, status = excluded.status`,
});
