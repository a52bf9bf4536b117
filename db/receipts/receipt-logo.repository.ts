import type { EntityManager } from '@mikro-orm/postgresql';
import { bytes } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';

/** An uploaded logo as a PNG, found by the name that a setting holds. */
export const findReceiptLogo = async (em: EntityManager, digest: string): Promise<Buffer | undefined> =>
  (await selectReceiptLogo.first(em, { digest }))?.content;

const selectReceiptLogo = sql('receipt-logo.repository.selectReceiptLogo', { gives: { content: bytes } })`
  select content from pos_receipt_logo where digest = $digest`;

/** Keeps a logo under its name. Safe to repeat. */
export const keepReceiptLogo = (
  em: EntityManager,
  logo: { digest: string; content: Buffer; width: number; height: number },
) => keep.run(em, logo);

const keep = sql('receipt-logo.repository.keep')`
  insert into pos_receipt_logo (digest, content, width, height) values ($digest, $content, $width, $height)
  on conflict (digest) do nothing`;
