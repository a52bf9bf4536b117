import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, listOf, orNull, text, texts } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';

/** The refunds of an order that the books have, by the names a gateway knows them by. */
export type KnownRefunds = RowFrom<typeof read>;

/**
 * What of an order the books know as refunded, or as a question. A refund that somebody booked by hand is known by the
 * transaction he named.
 */
export async function readKnownRefunds(em: EntityManager, orderId: number): Promise<KnownRefunds> {
  const row = await read.first(em, { orderId });
  return row ?? { attempts: [], gatewayReferences: [] };
}

const read = statement({
  takes: { orderId: integer },
  gives: {
    /** A failed one gave nothing back, so what stands under its name is missing. */
    attempts: listOf({ attemptId: integer, nameTail: orNull(text) }),
    gatewayReferences: texts,
  },
  text: `
    select
      (select coalesce(json_agg(json_build_object('attemptId', a.attempt_id, 'nameTail', a.name_tail)), '[]')
        from refund_attempt a where a.order_id = $orderId and a.state <> 'failed') as attempts,
      array(
        select gateway_reference from refund_attempt
        where order_id = $orderId and state <> 'failed' and gateway_reference is not null
        union select txn_id from sales_payment_transaction where order_id = $orderId
        union select transaction_id from sales_creditmemo where order_id = $orderId and transaction_id is not null
      ) as gateway_references`,
});
