import { hash } from 'node:crypto';
import { canonicalJson } from '../../../domain/canonical-json.ts';
import type { PostedOrder } from './posted-order.ts';

/**
 * A digest of what a register posted for a sale, in 64 characters; null for an order without a sale id.
 *
 * Every posted value counts (our choice). Spelling of numbers, order of keys and absent fields do not. Later changes of
 * the order do not count either.
 */
export const saleFingerprint = ({ ownComments: _ours, ...posted }: PostedOrder): string | null =>
  posted.columns.posSaleId ? hash('sha256', canonicalJson(posted)) : null;
