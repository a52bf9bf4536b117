import {
  bookCreditMemo,
  type BookedMemo,
  type CreditMemoBooking,
} from '../../../../db/platform/credit-memos/book-credit-memo.ts';
import { CreditMemo, CreditMemoItem } from '../../../../db/platform/credit-memos/credit-memo.entity.ts';
import { SourceItem } from '../../../../db/platform/inventory/stock.entity.ts';
import { readOrderRows, withOrder } from '../../../../db/platform/orders/lock-order.ts';
import { Order } from '../../../../db/platform/orders/order.entity.ts';
import { PosError } from '../../../../domain/errors.ts';
import { money, pieces } from '../../../../domain/money.ts';
import {
  postedInOrderCurrency,
  type CreditMemoRequest,
} from '../../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { aRequest } from '../../../support/builders/refundable-order.ts';
import { booksOf } from '../../../support/books.ts';
import { rated } from '../../../support/coins.ts';
import { orm } from '../../../support/order-book.ts';

export { orm, opensAShop } from '../../../support/order-book.ts';

const { fork } = booksOf(() => orm);

type Extra = Partial<Omit<CreditMemoBooking, 'order' | 'request'>>;

export const book = (orderId: number, request: CreditMemoRequest, extra: Extra = {}) =>
  withOrder(fork(), orderId, (tx, order) =>
    bookCreditMemo(tx, { order, request, isOnline: false, movesStock: false, ...extra }),
  );

export const take = (itemId: number, count: number, rest: Partial<CreditMemoRequest> = {}): CreditMemoRequest => ({
  ...aRequest({ items: [{ orderItemId: itemId, qty: pieces(count) }], shipping: '0' }),
  ...rest,
});

/** In the order's currency, for orders in the base currency. */
export const both = (text: string) => postedInOrderCurrency(money(text), rated('1'));

export const onlyItem = ({ itemIds }: { itemIds: number[] }) => itemIds[0]!;
export const savedOrder = (orderId: number) =>
  fork().findOneOrFail(Order, { entityId: orderId }, { populate: ['payment'] });
export const readOrder = async (orderId: number) => (await readOrderRows(fork(), orderId))!;
export const itemsOf = ({ entityId }: BookedMemo) => fork().find(CreditMemoItem, { creditMemo: entityId });
export const memosOf = (orderId: number) => fork().find(CreditMemo, { orderId }, { orderBy: { entityId: 'asc' } });

export const stockUp = (sku: string, count: number) =>
  fork().nativeUpdate(SourceItem, { sku, sourceCode: 'floor' }, { quantity: pieces(count) });

export const wordsOf = (refused: unknown[]) => refused.map((one) => (one instanceof PosError ? one.message : one));

/** What a refund of one piece of two leaves on the shelf and promised. */
export const stockMoves = [
  // Platform facts 10, verified numbers: 100 on the shelf, 2 ordered and invoiced, 1 refunded.
  { shipped: false, returned: true, refunded: 1, left: 100, promised: -1 },
  { shipped: false, returned: false, refunded: 1, left: 99, promised: -1 },
  { shipped: true, returned: true, refunded: 1, left: 99, promised: 0 },
  { shipped: true, returned: true, refunded: 2, left: 100, promised: 0 },
  { shipped: true, returned: false, refunded: 2, left: 98, promised: 0 },
];
