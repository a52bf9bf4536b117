import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalidValue, noSuchDocument } from '../../../domain/errors.ts';
import {
  namedInBoth,
  type PostedMemo,
  type PostedMemoLine,
  type Named,
} from '../../../domain/platform/credit-memos/posted-memo.ts';
import { refuseDocument } from '../../../domain/platform/document-lines.ts';
import { creditMemoExists } from '../../../domain/refusals/documents.ts';
import { basePrefixed } from '../../support/columns.ts';
import { type NewRowOf } from '../../support/entity-columns.ts';
import { fieldsOfTable, type SearchField } from '../../support/fields.ts';
import { rowOf } from '../../support/rows.ts';
import { keep, cached, saveRows } from '../../support/save-rows.ts';
import { shopNow } from '../../support/shop-clock.ts';
import { sql } from '../../support/sql.ts';
import { insertRows, into } from '../../support/write-rows.ts';
import { documentOrderFields, invoiceItemMoneyColumns, invoiceMoneyColumns } from '../invoices/invoices.ts';
import { documentComments, drawsNumbers, withOwnNumber } from '../orders/add-order-comment.ts';
import { withOrder, type LockedOrder } from '../orders/lock-order.ts';
import { createDocumentReader } from '../orders/read-documents.ts';
import { columnOf } from '../orders/read-order-items.ts';
import { CreditMemo, CreditMemoItem, creditMemoStates } from './credit-memo.entity.ts';
import type { DocumentRemark } from '../orders/document-remark.ts';

/** The fields of `POST /V1/creditmemo`. An absent one stays as it is, or is zero in a new memo. */
export interface PostedCreditMemo {
  entityId?: number | undefined;
  orderId?: number | undefined;
  /** Of a new memo; absent: the next one. A memo keeps the number it has. */
  incrementId?: string | undefined;
  invoiceId?: number | undefined;
  state?: number | undefined;
  transactionId?: string | undefined;
  totals: PostedMemo['totals'];
  lines?: readonly PostedMemoLine[] | undefined;
  /** To be added: what was said before stays. */
  comments?: readonly DocumentRemark[] | undefined;
}

/**
 * Saves a credit memo as `POST /V1/creditmemo` does: the document and nothing else (platform facts 7.1). No money, no
 * goods and no total of the order change. The books and every later refund ignore it.
 *
 * With an id it changes a memo that was saved in this way; a memo that booked a refund never changes. Without an id
 * each call writes a new one.
 *
 * Refused with: 404 unknown memo or order · 400 no order, an unknown state, a line of another order, a number that is
 * taken, a memo that booked a refund.
 *
 * @returns the memo's id
 */
export const saveCreditMemo = async (em: EntityManager, posted: PostedCreditMemo): Promise<number> => {
  const { entityId, state } = posted;
  if (state !== undefined && !Object.values<number>(creditMemoStates).includes(state))
    throw invalidValue('state', state);
  const known = entityId === undefined ? undefined : await selectCreditMemos.first(em, { creditMemoId: entityId });
  if (entityId !== undefined && known === undefined) throw noSuchDocument();
  const orderId = known?.memo.orderId ?? posted.orderId;
  if (orderId === undefined) throw fieldRequired('orderId');
  return withOwnNumber(posted.incrementId, () =>
    withOrder(em, orderId, (tx, order) =>
      entityId === undefined ? insertMemo(tx, order, posted) : changeMemo(tx, order, { ...posted, entityId }),
    ),
  );
};

async function insertMemo(em: EntityManager, order: LockedOrder, posted: PostedCreditMemo): Promise<number> {
  const drawn = await draw(em, order.storeId, posted.incrementId);
  const now = shopNow();
  const memo = {
    ...drawn,
    orderId: order.entityId,
    storeId: order.storeId,
    figuresFrom: 'save' as const,
    state: posted.state ?? creditMemoStates.open,
    invoiceId: posted.invoiceId ?? null,
    transactionId: posted.transactionId ?? null,
    ...moneyOf(order, posted.totals),
    createdAt: now,
    updatedAt: now,
  };
  await insertRows(em, [
    into(CreditMemo, [memo]),
    into(CreditMemoItem, linesOf(order, drawn.entityId, posted.lines ?? [])),
    commentsOf(drawn.entityId, posted),
  ]);
  return drawn.entityId;
}

async function changeMemo(
  em: EntityManager,
  order: LockedOrder,
  posted: PostedCreditMemo & { entityId: number },
): Promise<number> {
  const { entityId, state, invoiceId, transactionId, totals, lines } = posted;
  // Read again under the lock: a concurrent save may have changed it.
  const found = await selectCreditMemos.first(em, { creditMemoId: entityId });
  if (!found) throw noSuchDocument();
  const memo = keep(found.memo);
  if (memo.figuresFrom !== 'save') throw creditMemoExists();
  Object.assign(memo, {
    ...(state === undefined ? {} : { state }),
    ...(invoiceId === undefined ? {} : { invoiceId }),
    ...(transactionId === undefined ? {} : { transactionId }),
    ...moneyOf(order, totals),
  });
  await saveRows(em, [cached(CreditMemo, [memo])]);
  if (lines !== undefined) await dropLines.run(em, { creditMemoId: entityId });
  await insertRows(em, [into(CreditMemoItem, linesOf(order, entityId, lines ?? [])), commentsOf(entityId, posted)]);
  return entityId;
}

const commentsOf = (parentId: number, { comments = [] }: PostedCreditMemo) =>
  documentComments(
    comments.map(({ comment, isVisibleOnFront = false }) => {
      return { document: 'creditmemo', parentId, comment, isVisibleOnFront };
    }),
  );

/** `grandTotal` with its base twin, for each figure that was named. */
const moneyOf = (order: LockedOrder, figures: Readonly<Record<string, Named | undefined>>) =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([name, named]) => {
      const { base, order: own } = namedInBoth(order, named);
      return [
        [name, own],
        [`base${name[0]?.toUpperCase()}${name.slice(1)}`, base],
      ];
    }),
  );

function linesOf(order: LockedOrder, creditMemo: number, lines: readonly PostedMemoLine[]) {
  const foreign = lines.filter(({ orderItemId }) => !order.lines.some((line) => line.itemId === orderItemId));
  refuseDocument(
    'Creditmemo',
    foreign.map(() => 'The creditmemo contains product item that is not part of the original order.'),
  );
  return lines.flatMap(({ orderItemId, qty, money }): NewRowOf<typeof CreditMemoItem>[] => {
    const line = order.lines.find(({ itemId }) => itemId === orderItemId);
    if (!line) return [];
    const { productId, sku, name, price, basePrice, baseCost } = line;
    return [
      { creditMemo, orderItemId, productId, sku, name, qty, price, basePrice, baseCost, ...moneyOf(order, money) },
    ];
  });
}

const memo = rowOf(CreditMemo, 'm');

const selectCreditMemos = sql('credit-memos.selectCreditMemos', { gives: { memo } })`
  select ${memo.columns} from sales_creditmemo m where m.entity_id = $creditMemoId`;

const draw = drawsNumbers('creditmemo');

const dropLines = sql('credit-memos.dropLines')`delete from sales_creditmemo_item where parent_id = $creditMemoId`;

/** The columns of a credit memo and of its lines, as they are answered and searched (platform facts 7.5). */

const adjustments = ['adjustment', 'adjustmentPositive', 'adjustmentNegative'] as const;

export const creditMemoMoneyColumns = [
  ...invoiceMoneyColumns,
  ...[...adjustments, ...basePrefixed(...adjustments)].map(columnOf),
];
export const creditMemoItemMoneyColumns = invoiceItemMoneyColumns;

const fieldsOf = fieldsOfTable('m', CreditMemo);

const creditMemoFields: Readonly<Record<string, SearchField>> = Object.fromEntries([
  ...fieldsOf('integer', ['entity_id', 'order_id', 'store_id', 'invoice_id', 'state', 'refund_attempt_id']),
  ...fieldsOf('code', ['increment_id', 'transaction_id']),
  ...fieldsOf('timestamp', ['created_at', 'updated_at']),
  ...fieldsOf('decimal', [...creditMemoMoneyColumns, 'base_cost']),
  ...fieldsOf('boolean', ['is_online']),
  // The platform has two fields for the state and fills only one of them; both are filled here (our choice).
  ['creditmemo_status', { column: 'm.state', type: 'integer' } as const],
  // As answers show it: false of a memo that was only written down.
  ['pos_moved_money', { column: "(m.figures_from <> 'save')", type: 'boolean' } as const],
  ...Object.entries(documentOrderFields),
]);

/** Reads credit memos. See `DocumentReader`. */
export const { read: readCreditMemo, search: searchCreditMemos } = createDocumentReader({
  entity: CreditMemo,
  item: CreditMemoItem,
  alias: 'm',
  document: 'creditmemo',
  fields: creditMemoFields,
});
