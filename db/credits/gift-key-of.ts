import { outsideName } from '../installation/outside-name.ts';
import type { CreditRefund } from './credit-refund.entity.ts';

/** The provider's key for a refund to credit. It never changes, so that a repeat gives nothing twice. */
export const giftKeyOf = ({ refundId, nameTail }: Pick<CreditRefund, 'refundId' | 'nameTail'>): string =>
  outsideName(`credit-refund-${refundId}`, nameTail);
