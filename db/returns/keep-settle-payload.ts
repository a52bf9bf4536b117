import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

/** Stores a terminal's output about a refund under the id of its request; a repeat changes nothing. */
export async function keepSettlePayload(
  em: EntityManager,
  payload: { requestId: string; returnId: number; rawPayload: string },
): Promise<void> {
  await write.run(em, payload);
}

const write = sql('keep-settle-payload.write')`
  insert into sale_return_settle_payload (request_id, return_id, raw_payload)
  values ($requestId, $returnId, $rawPayload) on conflict do nothing`;

/** The terminal output of a request; undefined for most, which have none. */
export const findSettlePayload = async (em: EntityManager, requestId: string): Promise<string | undefined> =>
  (await selectPayload.first(em, { requestId }))?.rawPayload;

const selectPayload = sql('keep-settle-payload.selectPayload')`
  select raw_payload from sale_return_settle_payload where request_id = $requestId`;
