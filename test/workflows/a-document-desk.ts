import type { Answer } from '../support/api.ts';
import { booksOf } from '../support/books.ts';
import type { WantedOrder } from '../support/builders/order.ts';
import type { Flow } from '../support/flow.ts';
import { aRegister } from '../support/register.ts';
import { documentRefundId } from '../../workflows/refunds/messages.ts';

export interface Sale {
  orderId: number;
  itemId: number;
  invoiceId: number;
}

/** Whoever refunds by the platform's own routes, and what is seen of it afterwards. */
export function aDocumentDesk(flow: Flow) {
  const register = aRegister(flow);
  const { rows, latest } = booksOf(() => flow.api.orm);

  const sale = async (price: string, wanted: WantedOrder = {}): Promise<Sale> => {
    const sold = await register.sale(price, wanted);
    const [invoice] = await rows<{ entity_id: number }>('select entity_id from sales_invoice where order_id = ?', [
      sold.orderId,
    ]);
    return { ...sold, invoiceId: invoice?.entity_id ?? 0 };
  };

  /** The body for one piece of a sale, with its caller's totals. */
  const bodyOf = ({ orderId, itemId, invoiceId }: Sale, price: number, more: object = {}) => ({
    creditmemo: {
      order_id: orderId,
      invoice_id: invoiceId,
      subtotal: price,
      grand_total: price,
      items: [{ order_item_id: itemId, qty: 1, row_total: price }],
      extension_attributes: { return_to_stock_items: [itemId] },
      ...more,
    },
  });

  const lastKey = async () => (await latest('refund_attempt', 'plan')).plan.memo.requestKey as string;

  return {
    ...register,
    sale,
    bodyOf,

    /** One piece with its caller's totals. */
    withTotals: (sold: Sale, price: number, headers: Record<string, string> = {}): Promise<Answer> =>
      flow.api.call('POST', '/V1/creditmemo/refund', {
        token: flow.api.tokens.register,
        body: bodyOf(sold, price),
        headers,
      }),

    /** One piece of an invoice, by the platform's own figures. */
    ofInvoice: (sold: Sale, more: object = {}): Promise<Answer> =>
      register.call('POST', `/V1/invoice/${sold.invoiceId}/refund`, {
        isOnline: true,
        items: [{ order_item_id: sold.itemId, qty: 1 }],
        arguments: { extension_attributes: { return_to_stock_items: [sold.itemId] } },
        ...more,
      }),

    refunded: () => flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length,
    invoice: async ({ invoiceId }: Sale) => (await register.call('GET', `/V1/invoices/${invoiceId}`)).body,
    order: async ({ orderId }: Sale) => (await register.call('GET', `/V1/orders/${orderId}`)).body,
    lastKey,
    /** The run of the newest request with an `Idempotency-Key`, whether or not it wrote anything. */
    runOfRequest: async ({ orderId }: Sale) => {
      const [asked] = await rows<{ operation_key: string }>(
        'select operation_key from keyed_request order by created_at desc limit 1',
      );
      return flow.client.workflow.getHandle(documentRefundId(orderId, asked?.operation_key ?? ''));
    },
    /** The run of the newest refund. */
    lastRun: async ({ orderId }: Sale) => flow.client.workflow.getHandle(documentRefundId(orderId, await lastKey())),
  };
}

export type DocumentDesk = ReturnType<typeof aDocumentDesk>;
