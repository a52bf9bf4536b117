import { expect, test } from 'vitest';
import { holdCart } from '../../../db/held-carts/hold-cart.ts';
import { databaseNow } from '../../../db/support/database-now.ts';
import { openSession } from '../../../db/staff/open-session.ts';
import { aStaffMember, aTerminal } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { atOnce } from '../../support/rivals.ts';
import { api, aCart, call, hold, list, opensACartRack, recall } from './a-cart-rack.ts';

opensACartRack();

const { findOne, fork, booksHold } = booksOf(() => api.orm);
const free = { recalled_at: null, recalled_by_staff_id: null };

test('a cart that its taker parks again is free for the next register, in its place in the list', async () => {
  const sent = aCart({ staff_id: 3, terminal_id: 4 });
  const held = (await hold(sent)).body;
  const younger = (await hold(aCart())).body;

  for (const staffId of [5, 6, 5]) {
    expect((await recall(held.held_cart_id, staffId)).body).toMatchObject({ recalled_by_staff_id: staffId });
    const parked = (await hold({ ...sent, staff_id: staffId, cart_data: `by ${staffId}` })).body;
    expect(parked).toMatchObject({ held_cart_id: held.held_cart_id, ...free, cart_data: `by ${staffId}` });
  }

  const listed = (await list()).body.slice(0, 2);
  expect(listed).toMatchObject([{ held_cart_id: younger.held_cart_id }, { held_cart_id: held.held_cart_id, ...free }]);
  expect(listed[1].created_at).toBe(held.created_at);
});

test('parked anew it can be taken once: of a post and eight recalls at once one register has it', async () => {
  const sent = aCart();
  const { held_cart_id: id } = (await hold(sent)).body;
  await recall(id, 5);
  const rivals = await atOnce(9, (n) => (n === 0 ? hold({ ...sent, staff_id: 5 }) : recall(id, n + 100)));
  const last = await atOnce(8, (n) => recall(id, n + 200));

  const winners = [...rivals.slice(1), ...last].filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  expect(await findOne('pos_held_cart', { held_cart_id: id }, 'recalled_by_staff_id')).toEqual({
    recalled_by_staff_id: winners[0]!.body.recalled_by_staff_id,
  });
});

test('the terminal of the claim parks it anew, whoever works there now', async () => {
  const sent = aCart();
  const { held_cart_id: id } = (await hold(sent)).body;
  await call('POST', `/${id}/recall`, { staffId: 5, terminalId: 41 });
  expect((await hold({ ...sent, staff_id: 6, terminal_id: 40 })).body).toMatchObject({ recalled_by_staff_id: 5 });
  expect((await hold({ ...sent, staff_id: 6, terminal_id: 41 })).body).toMatchObject(free);
});

test('the terminal where somebody signed in last is the terminal of their claim', async () => {
  const { staffId, email: emailKey } = await aStaffMember(fork());
  const [before, now] = [await aTerminal(fork()), await aTerminal(fork())];
  for (const { terminalId } of [before, now]) await openSession(fork(), { staffId, emailKey, terminalId });
  const sent = aCart();
  const { held_cart_id: id } = (await hold(sent)).body;
  await recall(id, staffId);

  const by = ({ terminalId }: { terminalId: number }) => hold({ ...sent, terminal_id: terminalId });
  expect((await by(before)).body).toMatchObject({ recalled_by_staff_id: staffId });
  expect((await by(now)).body).toMatchObject(free);
});

test('a post that names nobody is told by its token', async () => {
  const sent = aCart();
  const { held_cart_id: id } = (await hold(sent)).body;
  await recall(id, 5);
  const token = await api.tokenFor('Vendor_Pos::locations');

  const late = await api.call('POST', '/V1/pos/held-carts', { token, body: { heldCart: sent } });
  expect(late.body).toMatchObject({ recalled_by_staff_id: 5 });

  expect((await hold({ ...sent, cart_data: 'v2' })).body).toMatchObject({ ...free, cart_data: 'v2' });
  expect((await recall(id, 6)).body).toMatchObject({ recalled_by_staff_id: 6, cart_data: 'v2' });
});

test('a post that began before the recall keeps the claim, even that of its own sender', async () => {
  const sent = aCart({ staff_id: 5 });
  const { held_cart_id: id } = (await hold(sent)).body;

  const late = await fork().transactional(async (em) => {
    await databaseNow(em);
    await recall(id, 5);
    return holdCart(em, {
      locationId: sent.location_id,
      cartUuid: sent.cart_uuid,
      cartData: '',
      staffId: 5,
      caller: '',
    });
  });

  expect(late.recalled_by_staff_id).toBe(5);
  await booksHold();
});
