import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../domain/errors.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { integer, json, definite } from '../support/entity-columns.ts';
import type { SearchField } from '../support/fields.ts';
import { search, type Found } from '../support/search.ts';
import { statement } from '../support/statement.ts';
import type { PaymentTransaction } from './orders/order-parts.entity.ts';

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
  const sheet = await readOne.first(em, { transactionId });
  if (!sheet) throw noSuchDocument();
  return sheet;
}

/** Searches transactions by any of their columns (platform facts 11). One round trip. */
export const searchTransactions = (em: EntityManager, criteria: SearchCriteria): Promise<Found<TransactionSheet>> =>
  search<TransactionSheet>(em, criteria, {
    table,
    columns: sheetColumns,
    fields,
    order: 't.transaction_id',
    kept: { list: 'sales_payment_transaction', alias: 't' },
  });

const table = 'sales_payment_transaction t';

const sheetColumns = `
  to_json(t) as transaction,
  (select coalesce(json_agg(c order by c.transaction_id), '[]') from sales_payment_transaction c
   where c.order_id = t.order_id and c.parent_id is not null) as descendants`;

const readOne = statement({
  takes: { transactionId: integer },
  gives: { transaction: definite(json<TransactionRow>()), descendants: definite(json<TransactionRow[]>()) },
  text: `select ${sheetColumns} from ${table} where t.transaction_id = $transactionId`,
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
