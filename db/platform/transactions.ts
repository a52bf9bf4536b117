import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import type { SearchField } from '../support/fields.ts';
import { inOneSnapshot } from '../support/one-snapshot.ts';
import { readPage, searchesGrowing, type RecordsOfPage } from '../support/search-growing.ts';
import { PaymentTransaction } from './orders/order-parts.entity.ts';

/** A row as JSON has it: times are ISO text. */
export interface TransactionRow {
  transaction_id: number;
  parent_id: number | null;
  order_id: number;
  payment_id: number;
  txn_id: string;
  parent_txn_id: string | null;
  txn_type: PaymentTransaction['txnType'];
  is_closed: boolean;
  additional_information: Record<string, unknown>;
  created_at: string;
}

/** A payment transaction, and all transactions of its order that have a parent: its children are among them. */
export interface TransactionSheet {
  transaction: TransactionRow;
  descendants: readonly TransactionRow[];
}

/** One transaction. Refused with: 404 unknown transaction. */
export async function readTransaction(em: EntityManager, transactionId: number): Promise<TransactionSheet> {
  const [sheet] = await readSheets(em, { ids: [transactionId] });
  if (!sheet) throw noSuchDocument();
  return sheet;
}

/** Transactions with those of their orders that have a parent, from one snapshot. */
const readSheets = (em: EntityManager, page: RecordsOfPage): Promise<TransactionSheet[]> =>
  inOneSnapshot(em, async (tx) => {
    const found = await readPage(tx, { entity: PaymentTransaction, key: 'transactionId', page });
    const descendants = await tx.find(
      PaymentTransaction,
      { orderId: { $in: [...new Set(found.map(({ orderId }) => orderId))] }, parentId: { $ne: null } },
      { orderBy: { transactionId: 'asc' } },
    );
    const ofOrder = Map.groupBy(descendants, ({ orderId }) => orderId);
    return found.map((one) => ({
      transaction: rowOf(one),
      descendants: (ofOrder.get(one.orderId) ?? []).map(rowOf),
    }));
  });

const rowOf = (one: PaymentTransaction): TransactionRow => ({
  ...{ transaction_id: one.transactionId, parent_id: one.parentId ?? null, order_id: one.orderId },
  ...{ payment_id: one.paymentId, txn_id: one.txnId, parent_txn_id: one.parentTxnId ?? null, txn_type: one.txnType },
  ...{ is_closed: one.isClosed, additional_information: one.additionalInformation },
  created_at: one.createdAt.toISOString(),
});

const fields: Readonly<Record<string, SearchField>> = {
  transaction_id: { column: 't.transaction_id', type: 'integer' },
  parent_id: { column: 't.parent_id', type: 'integer', isNullable: true },
  order_id: { column: 't.order_id', type: 'integer' },
  payment_id: { column: 't.payment_id', type: 'integer' },
  txn_id: { column: 't.txn_id', type: 'text' },
  parent_txn_id: { column: 't.parent_txn_id', type: 'text', isNullable: true },
  txn_type: { column: 't.txn_type', type: 'code' },
  is_closed: { column: 't.is_closed', type: 'boolean' },
  created_at: { column: 't.created_at', type: 'timestamp' },
};

/** Searches transactions by any of their columns (platform facts 11). */
export const searchTransactions = searchesGrowing({
  table: 'sales_payment_transaction t',
  fields,
  order: 't.transaction_id',
  kept: { list: 'sales_payment_transaction', alias: 't' },
  read: readSheets,
  idOf: (sheet: TransactionSheet) => sheet.transaction.transaction_id,
});
