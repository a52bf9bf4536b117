import type { EntityManager } from '@mikro-orm/postgresql';
import { bytes, integer, text } from '../support/entity-columns.ts';
import { statement } from '../support/statement.ts';

/** An uploaded logo as a PNG, found by the name that a setting holds. */
export const findReceiptLogo = async (em: EntityManager, digest: string): Promise<Buffer | undefined> =>
  (await selectReceiptLogo.first(em, { digest }))?.content;

const selectReceiptLogo = statement({
  takes: { digest: text },
  gives: { content: bytes },
  text: 'select content from pos_receipt_logo where digest = $digest',
});

/** Keeps a logo under its name. Safe to repeat. */
export const keepReceiptLogo = (
  em: EntityManager,
  logo: { digest: string; content: Buffer; width: number; height: number },
) => keep.run(em, logo);

const keep = statement({
  takes: { digest: text, content: bytes, width: integer, height: integer },
  text: `insert into pos_receipt_logo (digest, content, width, height) values ($digest, $content, $width, $height)
    on conflict (digest) do nothing`,
});
