import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../support/plain-rows.ts';
import type { LockedOrder, OrderLine, OrderRow, PaymentRow } from './lock-order.ts';
import { OrderItem } from './order-item.entity.ts';
import { OrderPayment } from './order-payment.entity.ts';
import { Order } from './order.entity.ts';

const headTail = 'from sales_order o join sales_order_payment p on p.order_id = o.entity_id where o.entity_id = $1';
const linesTail = 'from sales_order_item i where i.order_id = $1 order by i.item_id';

/** An order with its lines and its payment, locked by nobody: to work something out, never to change it. */
export async function readOrderRows(em: EntityManager, orderId: number): Promise<LockedOrder | undefined> {
  const asked = { tail: headTail, values: [orderId] };
  const [head] = await readRows<{ o: OrderRow; p: PaymentRow }>(em, { o: Order, p: OrderPayment }, asked);
  if (!head) return undefined;
  const rows = await readRows<{ i: OrderLine }>(em, { i: OrderItem }, { tail: linesTail, values: [orderId] });
  const lines = rows.map(({ i }) => i);
  return Object.assign(head.o, { items: { getItems: () => lines }, payment: { $: head.p } });
}
