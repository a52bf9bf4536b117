import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';

/** Business ids such as `return-1` must not meet those of other test files on the one Temporal server. */
const idSpace = () => 5_000_001_000 + (randomBytes(4).readUInt32BE() % 200_000) * 10_000;

export async function separateIds({ orm }: { orm: MikroORM }): Promise<void> {
  const first = idSpace();
  await orm.em.execute(
    `select setval(sequence, ?) from unnest(array['sale_return_return_id_seq', 'refund_attempt_attempt_id_seq',
       'sales_order_entity_id_seq', 'mail_outbox_mail_id_seq', 'pos_receipt_receipt_id_seq',
       'content_schedule_schedule_id_seq']) sequence`,
    [first],
  );
}
