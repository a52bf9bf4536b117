import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { isReceiptToken } from '../../domain/receipts/receipt-fault.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { receiptViewOf } from '../../domain/receipts/receipt-view-of.ts';
import { settingsOf } from '../configuration/read-shop-settings.ts';
import { bucketValues, type Bucket } from '../support/rate-limit.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { countedViewRow, viewRowById, viewRowByToken, type ReceiptViewRow } from './receipt-view-rows.ts';
import { receiptTokenDigest, receiptTokenPurpose } from './save-receipt.ts';

/** How the stored becomes what is shown: who opens the token, and how this shop is reached from outside. */
export interface ViewMeans {
  box: SecretBox;
  /** Without a slash at its end; undefined: nobody said, and no code leads to the public page. */
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
 * The same for somebody who looks at it, counted in a bucket on the way: reading it and counting it is one statement.
 *
 * Refused with: 404 unknown token, which is not counted.
 *
 * @returns undefined where the bucket is full
 */
export async function readReceiptViewCounted(
  em: EntityManager,
  { token, bucket }: { token: string; bucket: Bucket },
  means: ViewMeans,
): Promise<ReceiptView | undefined> {
  const row = await countedViewRow.first(em, { tokenDigest: digestOf(token), ...bucketValues([bucket]) });
  if (!row) throw unknownToken();
  return row.isCounted ? viewOf(row, token, means) : undefined;
}

/** Of what is no token at all nothing is asked. */
function digestOf(token: string): string {
  if (!isReceiptToken(token)) throw unknownToken();
  return receiptTokenDigest(token);
}

const unknownToken = () => notFound('The POS receipt with this token does not exist.');

const viewOf = (row: ReceiptViewRow, token: string, { box, publicBaseUrl }: ViewMeans): ReceiptView =>
  receiptViewOf({
    receipt: row,
    items: row.items,
    place: row.place ?? undefined,
    shopName: row.shopName,
    locale: row.locale,
    timeZone: row.timeZone,
    publicBaseUrl: publicBaseUrl?.replace(/(?<!\/)\/+$/, ''),
    settings: settingsOf(row.settings, box),
    token: token.toLowerCase(),
  });
