import { randomUUID } from 'node:crypto';
import { valueOf } from '../../client/results.ts';
import { cash } from '../../client/sale.ts';
import { credentials } from '../demo-shop/stores.ts';
import { payByCard, sell, type Sale } from './sell.ts';
import { takeOneBack } from './take-back.ts';
import type { Json, Teller } from './teller.ts';
import {
  findCustomer,
  lineOf,
  mustBe,
  priceOf,
  totalOf,
  type Customer,
  type Selling,
  type OpenRegister,
} from './till.ts';

/** Payment over time: a layaway that is paid off, one that is cancelled with a fee, and a sale on credit. */
export async function layawayDay(
  teller: Teller,
  { register, product }: { register: OpenRegister; product: Json },
): Promise<{ orderId: number }> {
  const selling: Selling = { register, product, price: priceOf(register, product, 60), qty: 1, payment: 'cash' };
  const paidOff = await payOff(teller, selling);
  await giveUp(teller, selling);
  await collectDue(teller, { ...selling, price: priceOf(register, product, 45) });
  return paidOff;
}

async function payOff(teller: Teller, selling: Selling): Promise<{ orderId: number }> {
  teller.chapter('A layaway is paid off');
  const { till, cardMethod } = selling.register;
  const saleId = randomUUID();
  const reference = await payByCard(teller, saleId, 20);
  const { orderId } = mustBe(
    await till.register.layaway({
      ...{ saleId, lines: [lineOf(selling)], deposit: 20, expiresAt: new Date(Date.now() + thirtyDays) },
      payment: { method: cardMethod, transactionId: reference },
    }),
  );
  mustBe(await till.register.payLayaway({ orderId, amount: 15 }));
  teller.say('The terminal sends the first payment again:');
  const repeated = mustBe(await till.register.payLayaway({ orderId, amount: 20, method: cardMethod, reference }));
  teller.must(repeated.captured === 35, 'A reference was booked twice.');
  const last = mustBe(await till.register.payLayaway({ orderId, amount: 30 }));
  teller.must(last.status === 'ready_to_settle' && last.captured === 60, 'More than the price was booked.');
  mustBe(await till.register.handOver(orderId));
  return { orderId };
}

async function giveUp(teller: Teller, selling: Selling): Promise<void> {
  teller.chapter('A layaway is cancelled, with a fee of a fifth');
  const { orderId } = mustBe(
    await selling.register.till.register.layaway({ lines: [lineOf(selling)], payment: cash, deposit: 20 }),
  );
  const cancel = () =>
    teller.client.post('/V1/pos/layaways/{orderId}/cancel', {
      path: { orderId },
      body: { feePercent: 20, reason: 'changed plans', terminalId: selling.register.terminalId },
    });
  const cancelled = await cancel();
  teller.must(cancelled.kind === 'done' && cancelled.value.refund_amount === 16, 'The fee is wrong.');
  teller.must((await cancel()).kind === 'refused', 'It was cancelled twice.');
}

/** Goods on credit: the amount due is collected later, under the terminal's own reference. */
async function collectDue(teller: Teller, selling: Selling): Promise<void> {
  teller.chapter('Credit that is due is collected');
  const { orderId } = mustBe(
    await selling.register.till.register.sell({
      ...{ lines: [lineOf(selling)], payment: cash, creditDue: totalOf(selling), isHandedOverLater: true },
    }),
  );
  const pay = async (amount: number, reference: string) => {
    const body = { amount, reference, paymentMethod: 'cash', terminalId: selling.register.terminalId };
    return valueOf(await teller.client.post('/V1/pos/orders/{orderId}/due-payments', { path: { orderId }, body }));
  };
  const reference = `till-${randomUUID()}`;
  await pay(20, reference);
  const replay = await pay(20, reference);
  teller.must(replay.is_replay && replay.remaining_due === 25, 'A reference was booked twice.');
  await pay(25, `till-${randomUUID()}`);
}

const thirtyDays = 30 * 86_400_000;

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
  const price = priceOf(register, product, 30);
  const selling: Selling = { ...{ register, product, price, customer }, qty: 1, payment: 'card' };
  valueOf(await register.till.register.credit({ type: 'store_credit', customerId: customer.id }, [lineOf(selling)]));
  const credits = [{ credit_type: 'store_credit', amount: 10 }];
  const sale = await sell(teller, { ...selling, credits });
  await balanceOf(teller, customer);
  await previewLegs(teller, sale);
  const { baseHandback } = mustBe(await takeOneBack(register, sale, 'original_payment'));
  const after = await balanceOf(teller, customer);
  teller.must(baseHandback === 20, 'The card did not get its share.');
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
  const price = priceOf(register, product, 15);
  const sale = await sell(teller, { register, product, price, qty: 1, payment: 'cash', customer, credits });
  await readBalance();
  const { baseHandback } = mustBe(await takeOneBack(register, sale, 'cash'));
  teller.must(baseHandback === 0, 'Cash was given back for what a gift card paid.');
  const after = await readBalance();
  teller.must(before.balance === after.balance, 'The gift card did not get its money back.');
}

const legsOf = (legs: Json[]) =>
  legs.map(({ kind, amount }) => `${amount} to ${String(kind).replace('_', ' ')}`).join(', ');

const storeCredit = (rows: Json[]) => rows.find(({ type }) => type === 'store_credit')?.balance;
