import { booksOf } from '../../support/books.ts';
import { orm } from '../../support/order-book.ts';

export { orm, opensAShop } from '../../support/order-book.ts';

const { theOrder } = booksOf(() => orm);
export const order = async (orderId: number) =>
  await theOrder(
    orderId,
    'state',
    'status',
    'pos_layaway_status',
    'total_paid',
    'total_refunded',
    'total_canceled',
    'total_invoiced',
  );
