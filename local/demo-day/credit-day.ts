import { credentials } from '../demo-shop/credentials.ts';
import { findCustomer } from './find-customer.ts';
import type { OpenRegister } from './open-register.ts';
import { sell, type Sale } from './sell.ts';
import type { Customer } from './selling.ts';
import { returnBody } from './take-back.ts';
import type { Json, Teller } from './teller.ts';

/** A customer's credit, spent and given back: store credit together with a card, and a gift card alone. */
export async function creditDay(
  teller: Teller,
  { register, product }: { register: OpenRegister; product: Json },
): Promise<void> {
  teller.chapter('A customer with store credit');
  const customer = await findCustomer(teller, credentials.customers[0].email);
  await payWithStoreCredit(teller, { register, product, customer });
  await payWithGiftCard(teller, { register, product, customer });
}

interface Purchase {
  register: OpenRegister;
  product: Json;
  customer: Customer;
}

const balanceOf = (teller: Teller, { id }: Customer) =>
  teller.ask({
    method: 'GET',
    path: `/V1/pos/credits/balance/${id}`,
    means: (rows) =>
      rows.length === 0 ? 'Nothing.' : rows.map((row: Json) => `${row.label}: ${row.balance}`).join(', '),
  });

/** Ten of thirty come from the wallet, the rest by card; the refund takes the same two ways back. */
async function payWithStoreCredit(teller: Teller, { register, product, customer }: Purchase): Promise<void> {
  const before = await balanceOf(teller, customer);
  const price = 30;
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/credits/applicable',
    body: {
      credit_type: 'store_credit',
      customer_id: customer.id,
      store_id: 1,
      subtotal: price,
      subtotal_incl_tax: price,
      grand_total: price,
      lines: [{ sku: product.sku, qty: 1, row_total: price, row_total_incl_tax: price, discount_amount: 0 }],
    },
    means: ({ outcome, applies_as, max_amount }) => `${outcome}: up to ${max_amount} of it as ${applies_as}.`,
  });
  const credits = [{ credit_type: 'store_credit', amount: 10 }];
  const sale = await sell(teller, { register, product, price, qty: 1, payment: 'card', customer, credits });
  await balanceOf(teller, customer);
  await previewLegs(teller, sale);
  const rma = await teller.ask({
    method: 'POST',
    path: '/V1/pos/rma',
    body: returnBody(register, sale, 'original_payment'),
    means: ({ status, base_refund_total, base_handback, refund_legs }) =>
      `${status}: ${base_refund_total} in all, ${base_handback} to the card, ${legsOf(refund_legs)}.`,
  });
  const after = await balanceOf(teller, customer);
  teller.must(rma.base_handback === 20, 'The card did not get its share.');
  teller.must(storeCredit(before) === storeCredit(after), 'The wallet did not get its share back.');
}

const previewLegs = (teller: Teller, sale: Sale) =>
  teller.ask({
    method: 'POST',
    path: '/V1/pos/refunds/preview',
    body: { orderId: sale.orderId, items: JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]) },
    means: ({ handback, legs }) => `It would give back ${handback} to the card and ${legsOf(legs)}.`,
  });

/** A gift card pays everything: no cash is given back, and the money returns to the card. */
async function payWithGiftCard(teller: Teller, { register, product, customer }: Purchase): Promise<void> {
  teller.chapter('A gift card pays a sale, and gets it back');
  const { code } = credentials.giftCard;
  const readBalance = () =>
    teller.ask({
      method: 'GET',
      path: `/V1/pos/credits/giftcard/${encodeURIComponent(code)}`,
      means: ({ balance, currency }) => `The card has ${balance} ${currency}.`,
    });
  const before = await readBalance();
  const credits = [{ credit_type: 'gift_card', code, amount: 15 }];
  const sale = await sell(teller, { register, product, price: 15, qty: 1, payment: 'cash', customer, credits });
  await readBalance();
  const parked = await teller.ask({
    method: 'POST',
    path: '/V1/pos/rma',
    body: returnBody(register, sale, 'cash'),
    means: ({ increment_id, status }) => `Return ${increment_id}: ${status}.`,
  });
  await teller.ask({
    method: 'POST',
    path: `/V1/pos/rma/${parked.id}/settle`,
    body: { method: 'cash' },
    means: ({ status, base_handback, refund_legs }) =>
      `${status}: ${base_handback} from the drawer, ${legsOf(refund_legs)}.`,
  });
  const after = await readBalance();
  teller.must(before.balance === after.balance, 'The gift card did not get its money back.');
}

const legsOf = (legs: Json[]) =>
  legs.map(({ kind, amount }) => `${amount} to ${String(kind).replace('_', ' ')}`).join(', ');

const storeCredit = (rows: Json[]) => rows.find(({ type }) => type === 'store_credit')?.balance;
