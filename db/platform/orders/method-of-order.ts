import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchOrder } from '../../../domain/errors.ts';
import { integer } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { OrderPayment } from './order-payment.entity.ts';

/** How an order is paid. Refused with: 404 unknown order · 400 the id 0. */
export async function methodOfOrder(em: EntityManager, orderId: number): Promise<string> {
  const payment = await read.first(em, { orderId });
  if (!payment) throw noSuchOrder(orderId);
  return payment.method;
}

const read = statement({
  takes: { orderId: integer },
  gives: of(OrderPayment, 'method'),
  text: 'select method from sales_order_payment where order_id = $orderId',
});
