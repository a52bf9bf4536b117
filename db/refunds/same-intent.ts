import { integer, listOf, text } from '../support/kinds.ts';
import { merchantReference } from './merchant-reference.ts';

/**
 * The attempts with the same intent as an attempt `a`: a gateway that gets the key again describes the first one that
 * arrived.
 */
export const sameIntentSql = `(
  select coalesce(json_agg(json_build_object('attemptId', b.attempt_id, 'nameTail', b.name_tail)), '[]')
  from refund_attempt b where b.order_id = a.order_id and b.idempotency_key = a.idempotency_key)`;

export const sameIntent = listOf({ attemptId: integer, nameTail: text });

interface Named {
  attemptId: number;
  nameTail: string;
}

/** The names that the gateway may use for a refund of this attempt. */
export const namesOf = (attempt: Named & { sameIntent: readonly Named[] }) => ({
  merchantReference: merchantReference(attempt),
  ownReferences: attempt.sameIntent.map(merchantReference),
});
