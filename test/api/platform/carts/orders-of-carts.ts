import { booksOf } from '../../../support/books.ts';
import { api } from '../../../support/cart-shop.ts';

export { api, opensACartShop as opensAShop } from '../../../support/cart-shop.ts';

const { find } = booksOf(() => api.orm);
export const ordersOf = (customerId: number) =>
  find('sales_order', { customer_id: customerId }, 'entity_id', 'quote_id');
