import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, json, surely } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import type { SheetRow } from './sheet-row.ts';

/** A limit for one answer; no order has this many comments in practice. */
const maxComments = 1_000;

/** The history of an order, newest first; empty for an unknown order (platform facts 3.5). */
export async function readOrderComments(em: EntityManager, orderId: number): Promise<SheetRow[]> {
  const rows = await read.all(em, { orderId, maxComments });
  return rows.map(({ line }) => line);
}

const read = statement({
  takes: { orderId: integer, maxComments: integer },
  gives: { line: surely(json<SheetRow>()) },
  text: `
    select to_json(c) as line from sales_order_status_history c
    where c.parent_id = $orderId order by c.created_at desc, c.entity_id desc limit $maxComments`,
});
