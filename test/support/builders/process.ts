import { openProcess, type NewProcess } from '../../../db/process/open-process.ts';
import type { ProcessedItem } from '../../../db/process/process.repository.ts';
import { pieces } from '../../../domain/money.ts';
import { noObjection } from '../../../domain/returns/eligibility.ts';
import type { MikroORM } from '@mikro-orm/postgresql';

let made = 0;

/** One piece of a line, without reason, condition or resolution. */
export const aProcessedItem = (orderItemId: number, wanted: Partial<ProcessedItem> = {}): ProcessedItem => ({
  orderItemId,
  qty: pieces(1),
  reason: null,
  condition: null,
  resolution: null,
  resolutionId: null,
  ...wanted,
});

/** A collapsed return as its route opens it: an offline refund that every provider allows. */
export const aProcess = (orm: MikroORM, wanted: Pick<NewProcess, 'orderId' | 'items'> & Partial<NewProcess>) =>
  openProcess(orm.em, {
    requestKey: `a-request-${++made}`,
    customerId: null,
    resolution: 'refund',
    resolutionId: null,
    isOnline: false,
    comment: null,
    author: 'Ada',
    provider: { code: '', resolutionIds: [], verdict: noObjection },
    canRefundThrough: () => false,
    storeCreditIn: 'store_credit',
    ...wanted,
  });
