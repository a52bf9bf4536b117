import type { DocumentSheet } from '../../../db/platform/orders/document-reader.ts';
import type { SheetRow } from '../../../db/platform/orders/sheet-row.ts';
import { renderRow } from '../../wire/render-row.ts';
import { renderDocumentComment } from '../../wire/document-comment.ts';
import { creditMemoColumns, creditMemoItemColumns, creditMemoOrderColumns, cutColumn } from './credit-memo-answer.ts';

/** A credit memo in answers (platform facts 7.5). */
export const renderCreditMemo = ({ document, items, comments, order }: DocumentSheet): Record<string, unknown> => ({
  ...renderRow(document, creditMemoColumns),
  ...renderRow(order, creditMemoOrderColumns),
  items: items.map(renderItem),
  comments: comments.map(renderDocumentComment),
  // A memo that was only written down looks like one that gave money back, also in state 2.
  ...(document['figures_from'] === 'save' ? { extension_attributes: { pos_moved_money: false } } : {}),
});

const renderItem = (item: SheetRow) => ({
  ...renderRow(item, creditMemoItemColumns),
  [cutColumn.to]: item[cutColumn.from],
});
