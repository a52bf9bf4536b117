import { booksOf } from '../../../support/books.ts';
import { api } from '../../../support/cart-shop.ts';

export { api, opensACartShop as opensAShop } from '../../../support/cart-shop.ts';

const { rows } = booksOf(() => api.orm);
export const ordersOf = (customerId: number) =>
  rows<object>('select entity_id, quote_id from sales_order where customer_id = ?', customerId);
