import { openDocumentRefund, type DocumentRefund } from '../../db/refunds/open-document-refund.ts';
import { readDocumentRefund, type DocumentRefundRecord } from '../../db/refunds/read-document-refund.ts';
import { openRemark } from '../../db/refunds/sealed-remark.ts';
import { paymentOfOrder } from '../../db/process/process.repository.ts';
import { readReturned } from '../../db/returns/read-returned.ts';
import { noSuchDocument } from '../../domain/errors.ts';
import { refundsBy, refuseUnrefundable } from '../../providers/gateways/can-refund-through.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';

/** A refund as its workflow got it: what people wrote is sealed. */
export interface SealedDocumentRefund extends Omit<DocumentRefund, 'comment'> {
  sealedComment?: string;
}

export type DocumentRefundActivities = ReturnType<typeof createDocumentRefundActivities>;

export const createDocumentRefundActivities = ({ orm, providers, gatewayTimeoutSeconds }: ActivityDependencies) => {
  const withTimeout = (refund: DocumentRefundRecord) => ({ ...refund, gatewayTimeoutSeconds });
  return {
    /** Writes a refund of an invoice down, or books it where all of it is credit. Idempotent: see `openDocumentRefund`. */
    openDocumentRefund: ({ sealedComment, ...refund }: SealedDocumentRefund) =>
      orRefused(async () => {
        const em = orm.em.fork();
        const payment = await paymentOfOrder(em, refund.orderId);
        if (!payment) throw noSuchDocument();
        // Asked before the transaction: no outside read happens while locks are held.
        const gateway = await providers.gateways.for(payment);
        const comment = sealedComment === undefined ? undefined : openRemark(providers.secrets, sealedComment);
        const opened = await openDocumentRefund(
          em,
          { ...refund, comment },
          {
            canRefundThrough: refundsBy(gateway, payment),
            refuseUnrefundable: () => refuseUnrefundable(gateway, payment),
            readReturned,
          },
        );
        return withTimeout(opened);
      }),

    /** What an earlier run of the same request wrote. Reads only. */
    async findDocumentRefund(named: { orderId: number; operationKey: string }) {
      const found = await readDocumentRefund(orm.em.fork(), named);
      return found && withTimeout(found);
    },
  };
};
