import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { booksOf } from '../../support/books.ts';
import { minutesAgo } from '../../support/moments.ts';
import { aStaffMember } from '../../support/builders/counter.ts';
import { atOnce } from '../../support/rivals.ts';
import { opensACartRack, api, aCart, call, hold, recall, idsOf, aLocation } from './a-cart-rack.ts';

opensACartRack();

const { findOne, fork, change, howMany, insert } = booksOf(() => api.orm);

describe('recalling', () => {
  test('of 16 registers one wins; the others learn who has the cart and since when', async () => {
    for (let round = 0; round < 5; round++) {
      const { held_cart_id: id } = (await hold(aCart())).body;
      const staff = await atOnce(16, (n) => aStaffMember(fork(), { firstName: `F${n}`, lastName: 'Doe' }));
      const answers = await Promise.all(staff.map(({ staffId }) => recall(id, staffId)));

      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      const winner = staff.findIndex(({ staffId }) => staffId === won[0]!.body.recalled_by_staff_id);
      for (const { status, body } of answers.filter((answer) => answer !== won[0])) {
        expect(status).toBe(400);
        expect(body).toEqual({
          message: 'The held cart was already recalled by %1 at %2.',
          parameters: [`F${winner} Doe`, won[0]!.body.recalled_at],
        });
      }
    }
  });

  test('again by the same person with the same token answers the cart again: the first answer was lost', async () => {
    const { held_cart_id: id } = (await hold(aCart())).body;
    const first = await recall(id, 77_777);
    const again = await atOnce(4, () => recall(id, 77_777));
    expect([first.status, first.headers.get(replayHeader)]).toEqual([200, null]);
    for (const { status, body, headers } of again)
      expect([status, body, headers.get(replayHeader)]).toEqual([200, first.body, 'true']);
  });

  test('again by another person, with another token, or long after, is refused: it may be another register', async () => {
    const { held_cart_id: id } = (await hold(aCart())).body;
    await recall(id, 77_777);
    const taken = { status: 400, body: { parameters: ['staff 77777', expect.any(String)] } };
    expect(await recall(id, 77_778)).toMatchObject(taken);
    const token = await api.tokenFor('Vendor_Pos::locations');
    const body = { staffId: 77_777 };
    expect(await api.call('POST', `/V1/pos/held-carts/${id}/recall`, { token, body })).toMatchObject(taken);
    const claim = await findOne('pos_held_cart', { held_cart_id: id }, 'location_id', 'recalled_by_caller');
    const late = { ...claim, cart_uuid: randomUUID(), cart_data: '{}' };
    await insert('pos_held_cart', { ...late, recalled_at: minutesAgo(11), recalled_by_staff_id: 77_777 });
    const { held_cart_id: lateId } = await findOne('pos_held_cart', { cart_uuid: late.cart_uuid }, 'held_cart_id');
    expect(await recall(lateId, 77_777)).toMatchObject(taken);
  });

  test.each([
    ['of its parker, who sends it late', { staff_id: 3, terminal_id: 4 }],
    ['that names another person only', { staff_id: 3 }],
    ['that names another terminal only', { terminal_id: 4 }],
  ])('a post %s changes the data of a recalled cart and keeps its claim', async (_whose, parker) => {
    const sent = aCart(parker);
    const { held_cart_id: id } = (await hold(sent)).body;
    const taken = (await recall(id, 5)).body;

    const late = (await hold({ ...sent, item_count: 3 })).body;

    expect(late).toMatchObject({ item_count: 3, recalled_by_staff_id: 5, recalled_at: taken.recalled_at });
    expect((await recall(id, 6)).status).toBe(400);
  });

  test('posts and recalls at once never leave a cart that two have', async () => {
    const sent = aCart({ staff_id: 99_999 });
    const { held_cart_id: id } = (await hold(sent)).body;
    const answers = await atOnce(24, (n) => (n % 3 === 0 ? hold({ ...sent, item_count: n }) : recall(id, n)));
    expect(answers.filter(({ status }, n) => n % 3 !== 0 && status === 200)).toHaveLength(1);
    expect((await recall(id, 99)).status).toBe(400);
  });

  test('no statement frees a claimed cart that does not park it anew in the name of its claimant', async () => {
    const { held_cart_id: id } = (await hold(aCart({ staff_id: 5 }))).body;
    await recall(id, 5);
    const later = new Date(Date.now() + 60_000);
    const without = { recalled_at: null, recalled_by_staff_id: null, recalled_by_caller: null };
    const freed = [
      without,
      { ...without, staff_id: 6, parked_at: later },
      { recalled_by_staff_id: 6 },
      { recalled_at: later },
    ];
    for (const values of freed)
      await expect(change('pos_held_cart', { held_cart_id: id }, values)).rejects.toThrow(/is claimed/);
    expect(await howMany('pos_held_cart', { held_cart_id: id, recalled_by_staff_id: 5 })).toBe(1);
  });

  test('an unknown cart is a 404, a call without a member of staff a 400', async () => {
    expect(await recall(99_999)).toMatchObject({
      status: 404,
      body: { message: 'Held cart with id %1 does not exist', parameters: [99_999] },
    });
    const { held_cart_id: id } = (await hold(aCart())).body;
    expect((await recall(id, null)).status).toBe(400);
    expect((await recall(id, 'Ada')).status).toBe(400);
    expect((await recall(id)).status).toBe(200);
  });
});

describe('removing', () => {
  test('by number: true, and then it is gone', async () => {
    const { held_cart_id: id } = (await hold(aCart())).body;
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: true });
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
    expect((await recall(id)).status).toBe(404);
  });

  test('by UUID: true for a cart that is there, and for one that never came', async () => {
    const { held_cart_id: id, cart_uuid: uuid } = (await hold(aCart())).body;
    expect(await call('DELETE', `/uuid/${uuid.toUpperCase()}`)).toMatchObject({ status: 200, body: true });
    expect(await idsOf()).not.toContain(id);
    expect((await call('DELETE', `/uuid/${randomUUID()}`)).body).toBe(true);
    expect((await call('DELETE', '/uuid/my%20cart')).status).toBe(400);
  });

  test('a cart removed and parked again under its UUID is a new cart, which any register may recall', async () => {
    const sent = aCart();
    const first = (await hold(sent)).body;
    await recall(first.held_cart_id);
    await call('DELETE', `/${first.held_cart_id}`);
    const anew = (await hold(sent)).body;
    expect(anew).toMatchObject({ recalled_at: null });
    expect(anew.held_cart_id).not.toBe(first.held_cart_id);
  });

  test('a location with parked carts stays until each of them is recalled and removed', async () => {
    const at = await aLocation('closing');
    const ids = [(await hold(aCart({ location_id: at }))).body, (await hold(aCart({ location_id: at }))).body].map(
      (cart) => cart.held_cart_id,
    );
    const close = () => api.call('DELETE', `/V1/pos/locations/${at}`, { token: api.tokens.admin });
    const refusal = (carts: number) => ({
      status: 400,
      body: {
        message: 'Could not delete the location: %1',
        parameters: [`carts are parked there (${carts}); recall or delete them first`],
      },
    });

    expect(await close()).toMatchObject(refusal(2));
    expect(await close()).toMatchObject(refusal(2));
    await recall(ids[0]);
    await call('DELETE', `/${ids[0]}`);
    expect(await close()).toMatchObject(refusal(1));
    expect(await idsOf('', at)).toEqual([ids[1]]);
    await call('DELETE', `/${ids[1]}`);
    expect(await close()).toMatchObject({ status: 200, body: true });
  });

  test('a location that closes while a cart is parked there loses no cart', async () => {
    for (let round = 0; round < 5; round++) {
      const at = await aLocation(`racing ${round}`);
      const [closed, held] = await Promise.all([
        api.call('DELETE', `/V1/pos/locations/${at}`, { token: api.tokens.admin }),
        hold(aCart({ location_id: at })),
      ]);
      expect([closed.status, held.status].toSorted((one, other) => one - other)).toEqual([200, 400]);
      expect(await idsOf('', at)).toHaveLength(held.status === 200 ? 1 : 0);
    }
  });
});
