import { z } from 'zod';
import type { SheetRow } from '../../db/platform/orders/sheet-row.ts';
import { eachOf } from './each-of.ts';
import { renderRow } from './render-row.ts';

/** Comments of an invoice, a shipment or a credit memo in answers (platform facts 5.5, 6, 7.5). */
const shape: Record<string, z.ZodType> = {
  ...eachOf(['entity_id', 'parent_id', 'is_customer_notified', 'is_visible_on_front'], z.int()),
  ...eachOf(['comment', 'created_at'], z.string()),
};

const columns = Object.keys(shape);

export const documentCommentAnswer = z.strictObject(shape).meta({ id: 'DocumentComment' });
export const renderDocumentComment = (comment: SheetRow): Record<string, unknown> => renderRow(comment, columns);
