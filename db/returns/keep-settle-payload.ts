import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../support/query.ts';

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

const keptText = 'select raw_payload from sale_return_settle_payload where request_id = $1';

/** What was kept under a request; undefined for most, whose terminal printed nothing. */
export async function findSettlePayload(em: EntityManager, requestId: string): Promise<string | undefined> {
  const [kept] = await query<{ raw_payload: string }>(em, keptText, [requestId]);
  return kept?.raw_payload;
}
