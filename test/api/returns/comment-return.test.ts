import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createReturn } from '../../../db/returns/create-return.ts';
import type { Mail, Mailer } from '../../../providers/mail/mailer.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';

/** A mail server that keeps what it is given, or is away. */
class FakeMailer implements Mailer {
  isEnabled = true;
  isReachable = () => Promise.resolve(true);
  isAway = false;
  sent: Mail[] = [];

  send(mail: Mail): Promise<void> {
    if (this.isAway) return Promise.reject(Object.assign(new Error(`no ${mail.to}`), { code: 'ECONNREFUSED' }));
    this.sent.push(mail);
    return Promise.resolve();
  }
}

const mail = new FakeMailer();
let api: TestApi;
let rmaId: number;
beforeAll(async () => {
  api = await testApi({ providers: { mail } });
  const { locationId } = await aShop(api.orm.em.fork());
  const order = await anOrder(api.orm.em.fork(), { customerEmail: 'ann@example.com' });
  ({ returnId: rmaId } = await createReturn(api.orm.em, {
    orderId: order.orderId,
    customerId: null,
    locationId,
    items: [anItem(order.itemIds[0]!)],
    comment: null,
    isAutoApproved: false,
    refundMethod: null,
    posSaleId: null,
  }));
});
beforeEach(() => {
  Object.assign(mail, { isEnabled: true, isAway: false, sent: [] });
});
afterAll(() => api.close());

const comment = (body: unknown, id = rmaId) =>
  api.call('POST', `/V1/pos/rma/${id}/comment`, { token: api.tokens.register, body });
const lastComment = async () => {
  const { body } = await api.call('GET', `/V1/pos/rma/${rmaId}`, { token: api.tokens.register });
  return body.comments.at(-1);
};

test('a comment is written into the history and answered with true, without a mail', async () => {
  const answer = await comment({ comment: 'The lid is missing' });

  expect(answer).toMatchObject({ status: 200, body: true });
  expect(await lastComment()).toMatchObject({
    comment: 'The lid is missing',
    is_customer_notified: false,
    is_visible_on_front: false,
    status: 'pending',
  });
  expect(mail.sent).toEqual([]);
});

test('the customer gets a mail when that is requested, and the history says so', async () => {
  expect((await comment({ comment: 'Bring the lid, please', notify_customer: true })).body).toBe(true);

  expect(mail.sent).toEqual([
    {
      to: 'ann@example.com',
      subject: expect.stringMatching(/^About your return \d+$/),
      text: 'Bring the lid, please\n',
    },
  ]);
  expect(await lastComment()).toMatchObject({ is_customer_notified: true, is_visible_on_front: true });
});

test.each([
  ['away', { isAway: true }],
  ['not set up', { isEnabled: false }],
])('with the mail server %s the comment stands, and does not say the customer was told', async (_how, state) => {
  Object.assign(mail, state);

  const answer = await comment({ comment: 'We close at six', notifyCustomer: true });

  expect(answer).toMatchObject({ status: 200, body: true });
  expect(await lastComment()).toMatchObject({ comment: 'We close at six', is_customer_notified: false });
});

test('the address of the walk-in customer gets no mail, and the history does not claim one', async () => {
  const path = 'vendor_pos_terminal/customers/walk_in_email';
  await setConfigValue(api.orm.em.fork(), secretBox, { path, value: 'Ann@example.com' });

  expect((await comment({ comment: 'Bring the box', notifyCustomer: true })).body).toBe(true);

  expect(mail.sent).toEqual([]);
  expect(await lastComment()).toMatchObject({ comment: 'Bring the box', is_customer_notified: false });
  await setConfigValue(api.orm.em.fork(), secretBox, { path, value: null });
});

test('an unknown return, an empty comment, one too long or with a card number are refused', async () => {
  const answers = [
    await comment({ comment: 'hello' }, 999_999),
    await comment({ comment: ' ' }),
    await comment({}),
    await comment({ comment: 'x'.repeat(4_001) }),
    await comment({ comment: 'paid with 4111 1111 1111 1111' }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 400, 400, 400, 400]);
});
