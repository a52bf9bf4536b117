import { hash } from 'node:crypto';
import { canonicalJson } from '../../../domain/canonical-json.ts';
import type { PostedOrder } from './posted-order.ts';

/**
 * What a register posted of a sale, in 64 characters; null for an order without a sale id.
 *
 * Everything that was said of the order counts (our choice): its spelling, the order of its keys and what is absent do
 * not. What becomes of the order later is no part of it.
 */
export const saleFingerprint = ({ ownComments: _ours, ...posted }: PostedOrder): string | null =>
  posted.columns.posSaleId ? hash('sha256', canonicalJson(posted)) : null;
