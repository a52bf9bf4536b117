import { booksOf } from '../../../support/books.ts';
import { orm } from '../../../support/order-book.ts';

export { orm, opensAShop } from '../../../support/order-book.ts';

export const now = new Date('2026-11-21T09:30:00Z');
const { promisesOf } = booksOf(() => orm);
export const reservations = (orderId: number) => promisesOf(orderId, 'sku', 'quantity', 'event_type');
