import type { EntityManager } from '@mikro-orm/postgresql';

/** Keeps what a terminal printed about a refund under the id of its request; the same request again changes nothing. */
export async function keepSettlePayload(
  em: EntityManager,
  { requestId, returnId, rawPayload }: { requestId: string; returnId: number; rawPayload: string },
): Promise<void> {
  await em.execute(
    `insert into sale_return_settle_payload (request_id, return_id, raw_payload) values (?, ?, ?) on conflict do nothing`,
    [requestId, returnId, rawPayload],
  );
}
