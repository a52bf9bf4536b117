import { randomUUID } from 'node:crypto';
import type { Flow } from './flow.ts';
import { anOrder, type WantedOrder } from './builders/order.ts';
import type { Answer } from './api.ts';

/** What a cashier does with a return, in one line each. */
export function aRegister({ api, shop }: Flow) {
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });

  return {
    call,

    /** A sold, paid and handed-over order whose refund of one piece comes to the given amount. */
    async sale(price: string, wanted: WantedOrder = {}) {
      const order = await anOrder(api.orm.em.fork(), {
        lines: [{ sku: 'MUG', qty: 2, price }],
        method: 'provider_a',
        lastTransId: `pay_${randomUUID()}`,
        ...wanted,
      });
      return { orderId: order.orderId, itemId: order.itemIds[0]! };
    },

    returnOne: (
      sale: { orderId: number; itemId: number },
      more: Record<string, unknown> = {},
      row: Record<string, unknown> = {},
    ) =>
      call('POST', '/V1/pos/rma', {
        orderId: sale.orderId,
        items: JSON.stringify([{ order_item_id: sale.itemId, qty_requested: 1, resolution: 'Refund', ...row }]),
        autoApprove: true,
        locationId: shop.locationId,
        ...more,
      }),

    settle: (rmaId: number, body: Record<string, unknown>) => call('POST', `/V1/pos/rma/${rmaId}/settle`, body),
    returnOf: async (rmaId: number) => (await call('GET', `/V1/pos/rma/${rmaId}`)).body,
    attempt: async (attemptId: number) => (await call('GET', `/V1/pos/rma/refund-attempts/${attemptId}`)).body,

    async memosOf(orderId: number): Promise<{ grand_total: string; refund_attempt_id: number | null }[]> {
      return api.orm.em
        .fork()
        .execute('select grand_total, refund_attempt_id from sales_creditmemo where order_id = ? order by entity_id', [
          orderId,
        ]);
    },
  };
}

export type Register = ReturnType<typeof aRegister>;
