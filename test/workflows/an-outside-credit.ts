import { creditRefundId } from '../../workflows/messages.ts';
import { aRefundedSale } from '../support/builders/credit.ts';
import type { Flow } from '../support/flow.ts';

/** A register that gives credit back at a provider outside. */
export function anOutsideCredit(flow: Flow) {
  return {
    /** Two pieces were sold, and one of them came back: 54.00. */
    aSale: async () => (await aRefundedSale(flow.api.orm)).orderId,

    asked: (orderId: number, more: object = {}) => ({
      ...{ orderId: String(orderId), creditType: 'gift_card', provider: 'credit_service', amount: 10 },
      ...{ reason: 'Mrs Miller called', code: 'OUT-1' },
      ...more,
    }),

    refund: async (body: object, requestId: string) =>
      (
        await flow.api.call('POST', '/V1/pos/credits/refund', {
          token: flow.api.tokens.register,
          body,
          headers: { 'x-request-id': requestId },
        })
      ).body,

    runOf: (orderId: number, requestId: string) =>
      flow.client.workflow.getHandle(creditRefundId(orderId, `request-${requestId}`)),
  };
}

export type OutsideCredit = ReturnType<typeof anOutsideCredit>;
