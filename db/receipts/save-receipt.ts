import { createHash, randomBytes } from 'node:crypto';
import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import type { NewRowOf } from '../support/entity-columns.ts';
import { isOfData } from '../support/is-of-data.ts';
import { integer, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { couldNotSaveReceipt } from './could-not-save-receipt.ts';
import { findOrderOfSale } from './link-receipt.ts';
import { lockSale } from './lock-sale.ts';
import { Receipt, ReceiptItem } from './receipt.entity.ts';

/** The purpose under which receipt tokens are sealed. */
export const receiptTokenPurpose = 'receipt token';
/** 64 hexadecimal characters (spec 2.14). */
const tokenBytes = 32;

type Assigned =
  | 'receiptId'
  | 'tokenDigest'
  | 'sealedToken'
  | 'updatedAt'
  | 'customerId'
  | 'claimedAt'
  | 'claimedOrderId';

export type NewReceiptItem = Omit<NewRowOf<typeof ReceiptItem>, 'receiptItemId' | 'receipt'>;
export interface NewReceipt {
  fields: Omit<NewRowOf<typeof Receipt>, Assigned>;
  items: readonly NewReceiptItem[];
  /** When absent, a token is made. */
  receiptToken?: string | undefined;
}

/**
 * Stores the receipt of a completed sale (spec 4.9), and links it to its order when that is placed already.
 *
 * A sale has one receipt, also when it is sent many times or many times at once. A repeat answers the stored receipt.
 * It can change two things: the token, and an order number that was missing.
 *
 * Refused with: 400 `Could not save the receipt: %1`, for a token that another receipt has, or a value too large for
 * its column.
 *
 * @param replayed called when the sale has its receipt already
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
      const known = await findKnown.first(tx, { saleId });
      if (known) replayed();
      const orderIncrementId =
        known?.orderIncrementId ?? given.fields.orderIncrementId ?? (await findOrderOfSale(tx, saleId));
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

type KnownReceipt = RowFrom<typeof findKnown>;

/** The public page finds a receipt by this digest. Upper and lower case of the token are the same. */
export const receiptTokenDigest = (token: string) => createHash('sha256').update(token.toLowerCase()).digest('hex');

async function insert(em: EntityManager, box: SecretBox, { fields, items, receiptToken }: NewReceipt): Promise<number> {
  const token = receiptToken?.toLowerCase() ?? randomBytes(tokenBytes).toString('hex');
  const drawn = await drawId.first(em);
  if (!drawn) throw new Error('no id was drawn for a receipt');
  const { receiptId } = drawn;
  await insertRows(em, [
    into(Receipt, [
      {
        ...fields,
        receiptId,
        tokenDigest: receiptTokenDigest(token),
        sealedToken: box.seal(token, receiptTokenPurpose),
      },
    ]),
    into(
      ReceiptItem,
      items.map((item) => ({ ...item, receipt: receiptId })),
    ),
  ]);
  return receiptId;
}

/** Changes the token and the missing order number, each only when it differs. */
async function updateKnown(
  em: EntityManager,
  box: SecretBox,
  change: { known: KnownReceipt; orderIncrementId: string | null | undefined; token: string | undefined },
): Promise<number> {
  const { known, orderIncrementId } = change;
  const token = change.token?.toLowerCase();
  const { receiptId, tokenDigest } = known;
  if (token !== undefined && receiptTokenDigest(token) !== tokenDigest)
    await changeToken.run(em, {
      receiptId,
      tokenDigest: receiptTokenDigest(token),
      sealedToken: box.seal(token, receiptTokenPurpose),
    });
  if (orderIncrementId && known.orderIncrementId === null) await link.run(em, { receiptId, orderIncrementId });
  return receiptId;
}

const findKnown = statement({
  takes: { saleId: text },
  gives: of(Receipt, 'receiptId', 'tokenDigest', 'orderIncrementId'),
  text: 'select receipt_id, token_digest, order_increment_id from pos_receipt where pos_order_id = $saleId',
});

const drawId = statement({
  takes: {},
  gives: of(Receipt, 'receiptId'),
  text: `select nextval('pos_receipt_receipt_id_seq')::int as receipt_id`,
});

const changeToken = statement({
  takes: { receiptId: integer, tokenDigest: text, sealedToken: text },
  text: `
    update pos_receipt set token_digest = $tokenDigest, sealed_token = $sealedToken, updated_at = now()
    where receipt_id = $receiptId`,
});

/** The receipt of a claimed refund stays with the order that was refunded. */
const link = statement({
  takes: { receiptId: integer, orderIncrementId: text },
  text: `
    update pos_receipt set order_increment_id = $orderIncrementId, updated_at = now()
    where receipt_id = $receiptId and claimed_at is null`,
});
