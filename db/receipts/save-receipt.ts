import { hash, randomBytes } from 'node:crypto';
import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { receiptNotSaved } from '../../domain/refusals/register.ts';
import { type NewRowOf } from '../support/entity-columns.ts';
import { isOfData } from '../support/is-of-data.ts';
import { lockAdvisory, tryLockAdvisory } from '../support/lock-advisory.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { Receipt, ReceiptItem } from './receipt.entity.ts';

/** 400 in the words of spec 4.9. */
export const couldNotSaveReceipt = (why: string) => receiptNotSaved([why]);

/**
 * The order and the receipt of one sale take turns, so that the second to commit sees the first. The lock is held to
 * the end of the transaction. It is the last lock an order takes.
 */
export const lockSale = (em: EntityManager, saleId: string): Promise<void> => lockAdvisory(em, saleLock(saleId));

/** Takes the same lock only when it is free. @returns whether it was taken */
export const tryLockSale = (em: EntityManager, saleId: string): Promise<boolean> =>
  tryLockAdvisory(em, saleLock(saleId));

/** `pos_link_receipt` builds the same name. */
const saleLock = (saleId: string) => `sale ${saleId}`;

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
  input: NewReceipt,
  replayed: () => void = () => undefined,
): Promise<number> {
  const saleId = input.fields.posOrderId;
  try {
    return await transact(em, async (tx) => {
      await lockSale(tx, saleId);
      const { known, newReceiptId, placedIncrementId } = await lookUp(tx, saleId);
      if (known) replayed();
      const orderIncrementId = known?.orderIncrementId ?? input.fields.orderIncrementId ?? placedIncrementId;
      return known
        ? updateKnown(tx, box, { known, orderIncrementId, token: input.receiptToken })
        : insert(tx, box, newReceiptId, { ...input, fields: { ...input.fields, orderIncrementId } });
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException && error.message.includes('token_digest'))
      throw couldNotSaveReceipt('another receipt has its token.');
    if (isOfData(error)) throw couldNotSaveReceipt('one of its values is beyond what can be stored.');
    throw error;
  }
}

interface KnownReceipt {
  receiptId: number;
  tokenDigest: string;
  orderIncrementId: string | null;
}

/** Under the sale's lock: the receipt it has, or the id of a new one, and the number of its order. */
async function lookUp(em: EntityManager, saleId: string) {
  const row = await selectReceipt.first(em, { saleId });
  if (!row) throw new Error('nothing was found of a sale');
  const { receiptId, tokenDigest, orderIncrementId, newReceiptId, placedIncrementId } = row;
  const known: KnownReceipt | undefined =
    receiptId === null || tokenDigest === null ? undefined : { receiptId, tokenDigest, orderIncrementId };
  return { known, newReceiptId, placedIncrementId };
}

/** The public page finds a receipt by this digest. Upper and lower case of the token are the same. */
export const receiptTokenDigest = (token: string) => hash('sha256', token.toLowerCase());

async function insert(
  em: EntityManager,
  box: SecretBox,
  receiptId: number | null,
  { fields, items, receiptToken }: NewReceipt,
): Promise<number> {
  if (receiptId === null) throw new Error('no id was drawn for a receipt');
  const token = receiptToken?.toLowerCase() ?? randomBytes(tokenBytes).toString('hex');
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

/** A receipt that is there draws no id. */
const selectReceipt = sql('save-receipt.selectReceipt')`
  select r.receipt_id, r.token_digest, r.order_increment_id,
    case when r.receipt_id is null then nextval('pos_receipt_receipt_id_seq') end as new_receipt_id,
    (select o.increment_id from sales_order o where o.pos_sale_id = $saleId) as placed_increment_id
  from (select 1) as sale left join pos_receipt r on r.pos_order_id = $saleId`;

const changeToken = sql('save-receipt.changeToken')`
  update pos_receipt set token_digest = $tokenDigest, sealed_token = $sealedToken, updated_at = now()
  where receipt_id = $receiptId`;

/** The receipt of a claimed refund stays with the order that was refunded. */
const link = sql('save-receipt.link')`
  update pos_receipt set order_increment_id = $orderIncrementId, updated_at = now()
  where receipt_id = $receiptId and claimed_at is null`;
