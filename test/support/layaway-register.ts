import { aPostedSale } from './builders/posted-sale.ts';
import type { Flow } from './flow.ts';

/** What a cashier does with a layaway, in one line each. */
export function aLayawayRegister({ api }: Pick<Flow, 'api'>) {
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });

  return {
    call,

    /** Two mugs, 108 in all, posted as a register posts a layaway. */
    async place(expiresAt: Date | null = new Date(Date.now() + 30 * 86_400_000), more: Record<string, unknown> = {}) {
      const answer = await call('POST', '/V1/orders', {
        entity: aPostedSale({
          state: 'pending_payment',
          status: 'pending_payment',
          customer_id: null,
          customer_is_guest: 1,
          extension_attributes: {
            pos_layaway_status: 'open',
            ...(expiresAt === null ? {} : { pos_layaway_expires_at: expiresAt.toISOString() }),
          },
          ...more,
        }),
      });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return { orderId: answer.body.entity_id as number, incrementId: answer.body.increment_id as string };
    },

    pay: (orderId: number, amount: unknown, more: Record<string, unknown> = {}) =>
      call('POST', `/V1/pos/layaways/${orderId}/payments`, { amount, paymentMethod: 'cash', ...more }),
    cancel: (orderId: number, feePercent: unknown = 0, more: Record<string, unknown> = { reason: 'moved away' }) =>
      call('POST', `/V1/pos/layaways/${orderId}/cancel`, { feePercent, ...more }),
    order: async (orderId: number) => (await call('GET', `/V1/orders/${orderId}`)).body,

    async settle(orderId: number) {
      const filter = `searchCriteria[filter_groups][0][filters][0]`;
      const { body } = await call('GET', `/V1/invoices?${filter}[field]=order_id&${filter}[value]=${orderId}`);
      return call('POST', `/V1/invoices/${body.items[0].entity_id}/capture`);
    },
  };
}
