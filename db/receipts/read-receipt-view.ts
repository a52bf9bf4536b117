import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { isReceiptToken } from '../../domain/receipts/receipt-fault.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { receiptViewOf } from '../../domain/receipts/receipt-view-of.ts';
import { settingsOf } from '../configuration/read-shop-settings.ts';
import type { Bucket } from '../support/rate-limit.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { lookAtReceipt } from './look-at-receipt.ts';
import { viewRowById, viewRowByToken, type ReceiptViewRow } from './receipt-view-rows.ts';
import { receiptTokenDigest, receiptTokenPurpose } from './save-receipt.ts';

/** What a view needs besides the rows: the box that opens tokens, and the public address of this shop. */
export interface ViewMeans {
  box: SecretBox;
  /** Undefined when it is not configured: then the receipt shows no code for the public page. */
  publicBaseUrl: string | undefined;
}

/**
 * What a receipt shows, with its location as it is now (spec 2.14, 4.9). One statement, by index.
 *
 * Refused with: 404 unknown token or id.
 */
export async function readReceiptView(
  em: EntityManager,
  wanted: { token: string } | { receiptId: number },
  means: ViewMeans,
): Promise<ReceiptView> {
  if ('receiptId' in wanted) {
    const { receiptId } = wanted;
    const row = await viewRowById.first(em, { receiptId });
    if (!row) throw notFound('The POS receipt with id %1 does not exist.', [receiptId]);
    return viewOf(row, means.box.open(row.sealedToken, receiptTokenPurpose), means);
  }
  const { token } = wanted;
  const row = await viewRowByToken.first(em, { tokenDigest: digestOf(token) });
  if (!row) throw unknownToken();
  return viewOf(row, token, means);
}

/**
 * The same for a visitor of the public page. The statement that reads the receipt also counts the visit in a bucket.
 *
 * Refused with: 404 unknown token, which is not counted.
 *
 * @returns undefined when the bucket is full
 */
export async function readReceiptViewCounted(
  em: EntityManager,
  { token, bucket }: { token: string; bucket: Bucket },
  means: ViewMeans,
): Promise<ReceiptView | undefined> {
  const row = await lookAtReceipt(em, { tokenDigest: digestOf(token), bucket });
  if (!row) throw unknownToken();
  return row.isCounted ? viewOf(row, token, means) : undefined;
}

/** A text that cannot be a token is refused without asking the database. */
function digestOf(token: string): string {
  if (!isReceiptToken(token)) throw unknownToken();
  return receiptTokenDigest(token);
}

const unknownToken = () => notFound('The POS receipt with this token does not exist.');

const viewOf = (row: ReceiptViewRow, token: string, { box, publicBaseUrl }: ViewMeans): ReceiptView =>
  receiptViewOf({
    receipt: row,
    items: row.items,
    entered: row.entered,
    place: row.place ?? undefined,
    shopName: row.shopName,
    locale: row.locale,
    timeZone: row.timeZone,
    publicBaseUrl: publicBaseUrl?.replace(/(?<!\/)\/+$/, ''),
    settings: settingsOf(row.settings, box),
    token: token.toLowerCase(),
  });
