import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, listOf, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** The refunds of an order in our books, by the names that a gateway uses. */
export type KnownRefunds = RowFrom<typeof selectKnownRefunds>;

/**
 * The refunds of an order that our books have, decided or uncertain. A refund booked by hand is known by the
 * transaction that was given for it. A memo that was only saved refunded nothing.
 */
export async function readKnownRefunds(em: EntityManager, orderId: number): Promise<KnownRefunds> {
  const row = await selectKnownRefunds.first(em, { orderId });
  return row ?? { attempts: [], gatewayReferences: [] };
}

const selectKnownRefunds = sql('read-known-refunds.selectKnownRefunds', {
  gives: { attempts: listOf({ attemptId: integer, nameTail: text }) },
})`
  select
    (select coalesce(json_agg(json_build_object('attemptId', a.attempt_id, 'nameTail', a.name_tail)), '[]')
      from refund_attempt a where a.order_id = $orderId and a.state <> 'failed') as attempts,
    array(
      select gateway_reference from refund_attempt
      where order_id = $orderId and state <> 'failed' and gateway_reference is not null
      union select txn_id from sales_payment_transaction where order_id = $orderId
      union select transaction_id from sales_creditmemo
      where order_id = $orderId and transaction_id is not null and figures_from <> 'save'
    ) as gateway_references`;
