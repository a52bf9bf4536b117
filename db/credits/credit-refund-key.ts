import { outsideName } from '../installation/outside-name.ts';
import type { CreditRefundRow } from './credit-refund.entity.ts';

/** What its provider knows a refund to credit by: for ever the same, so that asking again gives nothing twice. */
export const creditRefundKey = ({ refundId, nameTail }: Pick<CreditRefundRow, 'refundId' | 'nameTail'>): string =>
  outsideName(`credit-refund-${refundId}`, nameTail);
