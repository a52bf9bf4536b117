import { createHash, randomBytes } from 'node:crypto';
import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { isOfData } from '../support/is-of-data.ts';
import { insertSql } from '../support/insert-sql.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { transact } from '../support/transact.ts';
import { couldNotSaveReceipt } from './could-not-save-receipt.ts';
import { findOrderOfSale } from './link-receipt.ts';
import { lockSale } from './lock-sale.ts';
import {
  Receipt,
  ReceiptItem,
  type Receipt as ReceiptEntity,
  type ReceiptItem as ItemEntity,
} from './receipt.entity.ts';

/** What receipt tokens are sealed for. */
export const receiptTokenPurpose = 'receipt token';
/** 64 hexadecimal characters (spec 2.14). */
const tokenBytes = 32;

type Assigned = 'receiptId' | 'tokenDigest' | 'sealedToken' | 'items' | 'updatedAt' | 'customerId' | 'claimedAt';

export type NewReceiptItem = Partial<Omit<ItemEntity, 'receiptItemId' | 'receipt'>>;
export interface NewReceipt {
  fields: Partial<Omit<ReceiptEntity, Assigned>> & { posOrderId: string };
  items: readonly NewReceiptItem[];
  /** Absent: one is made. */
  receiptToken?: string | undefined;
}

/**
 * Stores a completed sale's receipt (spec 4.9), and links it to its order where that is placed already.
 *
 * One receipt per sale id, however often and however concurrently it is sent: a repeat answers the stored one and
 * applies at most two updates, another token and an order number that was missing.
 *
 * Refused with: 400 `Could not save the receipt: %1`, for a token that another receipt has, or values beyond their column.
 *
 * @param replayed told where the sale has its receipt already
 * @returns the receipt's id
 */
export async function saveReceipt(
  em: EntityManager,
  box: SecretBox,
  given: NewReceipt,
  replayed: () => void = () => undefined,
): Promise<number> {
  const saleId = given.fields.posOrderId;
  try {
    return await transact(em, async (tx) => {
      await lockSale(tx, saleId);
      const [known] = await tx.execute<KnownReceipt[]>(
        'select receipt_id, token_digest, order_increment_id from pos_receipt where pos_order_id = ?',
        [saleId],
      );
      if (known) replayed();
      const orderIncrementId =
        known?.order_increment_id ?? given.fields.orderIncrementId ?? (await findOrderOfSale(tx, saleId));
      return known
        ? updateKnown(tx, box, { known, orderIncrementId, token: given.receiptToken })
        : insert(tx, box, { ...given, fields: { ...given.fields, orderIncrementId } });
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException && error.message.includes('token_digest'))
      throw couldNotSaveReceipt('another receipt has its token.');
    if (isOfData(error)) throw couldNotSaveReceipt('one of its values is beyond what can be stored.');
    throw error;
  }
}

interface KnownReceipt {
  receipt_id: number;
  token_digest: string;
  order_increment_id: string | null;
}

/** What the public page finds a receipt by. The token's case does not count. */
export const receiptTokenDigest = (token: string) => createHash('sha256').update(token.toLowerCase()).digest('hex');

async function insert(em: EntityManager, box: SecretBox, { fields, items, receiptToken }: NewReceipt): Promise<number> {
  const token = receiptToken?.toLowerCase() ?? randomBytes(tokenBytes).toString('hex');
  const row = {
    ...fields,
    tokenDigest: receiptTokenDigest(token),
    sealedToken: box.seal(token, receiptTokenPurpose),
  };
  const [saved] = await em.execute<{ receipt_id: number }[]>(`${insertSql(em, Receipt, [row])} returning receipt_id`);
  if (!saved) throw new Error('a receipt was inserted and is not there');
  const receipt = saved.receipt_id;
  if (items.length > 0)
    await em.execute(
      insertSql(
        em,
        ReceiptItem,
        items.map((item) => ({ ...item, receipt })),
      ),
    );
  return receipt;
}

/** At most two columns, and only where they change. */
async function updateKnown(
  em: EntityManager,
  box: SecretBox,
  change: { known: KnownReceipt; orderIncrementId: string | null | undefined; token: string | undefined },
): Promise<number> {
  const { known, orderIncrementId } = change;
  const token = change.token?.toLowerCase();
  if (token !== undefined && receiptTokenDigest(token) !== known.token_digest)
    await em.execute(
      'update pos_receipt set token_digest = ?, sealed_token = ?, updated_at = now() where receipt_id = ?',
      [receiptTokenDigest(token), box.seal(token, receiptTokenPurpose), known.receipt_id],
    );
  if (orderIncrementId && known.order_increment_id === null)
    // A claimed refund belongs to the order that was refunded, and stays there.
    await em.execute(
      'update pos_receipt set order_increment_id = ?, updated_at = now() where receipt_id = ? and claimed_at is null',
      [orderIncrementId, known.receipt_id],
    );
  return known.receipt_id;
}
