import type { MikroORM } from '@mikro-orm/postgresql';
import { booksOf } from '../books.ts';
import type { Row } from '../books/cells.ts';

const ofTheCard = { kind: 'gift_card', provider_code: 'credit_service', website_id: 1, code: 'OUTSIDE-1234' };

/** Thirty of a card that is kept outside, spent there; without an order by default. */
export const aSpendingOutside = (orm: MikroORM, more: Row = {}) =>
  booksOf(() => orm).insert('credit_spending', {
    ...{ ...ofTheCard, store_id: 1, request_key: 'sale-outside', position: 1, base_amount: 30, amount: 30 },
    ...{ base_currency_code: 'USD', state: 'spent', transaction_id: 'spend_7', ...more },
  });

/** Thirty of a card that is kept outside, as an order has it that was paid with it. */
export const aCreditFromOutside = (orm: MikroORM, orderId: number, more: Row = {}) =>
  booksOf(() => orm).insert('order_credit', {
    ...{ ...ofTheCard, order_id: orderId, applies_as: 'tender', base_amount: 30, amount: 30 },
    ...more,
  });
