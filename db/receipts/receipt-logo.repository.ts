import type { EntityManager } from '@mikro-orm/postgresql';
import { bytes, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** An uploaded logo, a PNG, by the name that settings know it by. */
export const findReceiptLogo = async (em: EntityManager, digest: string): Promise<Buffer | undefined> =>
  (await find.first(em, { digest }))?.content;

const find = statement({
  takes: { digest: text },
  gives: { content: bytes },
  text: 'select content from pos_receipt_logo where digest = $digest',
});
