import { beforeAll, expect, test } from '@jest/globals';
import {
  addEndpoint,
  removeEndpoint,
  replayEvents,
  rotateEndpoint,
  showAttempts,
  showEndpoints,
  switchEndpoint,
  tailEvents,
} from '../../cli/events.ts';
import { planDeliveries } from '../../db/events/deliveries.ts';
import { givePlaces } from '../../db/events/feed.ts';
import { booksOf } from '../support/books.ts';
import { anOrder } from '../support/builders/order.ts';
import { aShop } from '../support/builders/shop.ts';
import { commandContextOf } from './support.ts';
import { useDatabase } from '../support/fixtures.ts';
import { firstId } from '../support/first-id.ts';

const orm = useDatabase();
beforeAll(() => aShop(orm.em.fork()));

const { change, fork, find, howMany } = booksOf(() => orm);
const shop = () => commandContextOf(orm);
const url = 'https://erp.example/hooks';

test('the tail shows the last events, from a place, of some types', async () => {
  const { orderId } = await anOrder(fork(), { shipped: false });
  const { text } = await tailEvents(shop(), { lines: '2' });
  expect(text).toMatch(new RegExp(`order.placed +order ${orderId} .*\n.*order.paid +order ${orderId} `));
  expect((await tailEvents(shop(), { after: '0', types: 'order.paid' })).json).toMatchObject([{ type: 'order.paid' }]);
  expect((await tailEvents(shop(), { after: '999999999999' })).text).toBe('No events.');
  await change('product', { sku: 'MUG' }, { name: 'A mug' });
  await anOrder(fork(), { paid: false, shipped: false });
  // Of a rare type too, however many others came since.
  expect((await tailEvents(shop(), { types: 'product.changed', lines: '1' })).text).toMatch(
    new RegExp(`product.changed +product ${firstId} `),
  );
  await expect(tailEvents(shop(), { types: 'order.sung' })).rejects.toMatchObject({ status: 400 });
  await expect(tailEvents(shop(), { after: 'yesterday' })).rejects.toMatchObject({ status: 400 });
});

test('whoever follows is shown each event as it comes', async () => {
  const shown: string[] = [];
  const stop = new Error('enough');
  const following = tailEvents(shop(), { lines: '1', types: 'order.placed', follow: true }, (line) => {
    shown.push(line);
    if (shown.length === 2) throw stop;
  });
  const ended = expect(following).rejects.toBe(stop);
  await anOrder(fork(), { paid: false, shipped: false });
  await anOrder(fork(), { paid: false, shipped: false });
  await anOrder(fork(), { paid: false, shipped: false });
  await ended;
  expect(shown.every((line) => line.includes('order.placed'))).toBe(true);
});

test('an endpoint is added, switched, given a new secret and deleted', async () => {
  const added = await addEndpoint(shop(), url, { types: 'order.placed, stock.moved', description: 'ERP' });
  const { endpointId, secret } = added.json as { endpointId: number; secret: string };
  expect(added.text).toContain(secret);
  expect((await showEndpoints(shop())).text).toMatch(
    /1 +on +0 +standard +https:\/\/erp.example\/hooks +order.placed, stock.moved/,
  );
  await switchEndpoint(shop(), `webhook-${endpointId}`, false);
  expect(await find('webhook_endpoint', {}, 'state')).toEqual([{ state: 'off' }]);
  await switchEndpoint(shop(), String(endpointId), true);
  expect((await rotateEndpoint(shop(), String(endpointId))).text).not.toContain(secret);
  expect((await showAttempts(shop(), String(endpointId))).text).toBe('Nothing was sent yet.');

  await anOrder(fork(), { paid: false, shipped: false });
  await givePlaces(fork());
  await planDeliveries(fork(), endpointId);
  const [delivery] = await find('webhook_delivery', { endpoint_id: endpointId }, 'sequence');
  const place = String(delivery?.['sequence']);
  expect((await replayEvents(shop(), String(endpointId), place)).json).toEqual({ replayed: 1, last: Number(place) });
  expect(await howMany('webhook_delivery', { endpoint_id: endpointId })).toBe(1);

  await removeEndpoint(shop(), String(endpointId));
  expect((await showEndpoints(shop())).text).toBe('No endpoints.');
  await expect(removeEndpoint(shop(), String(endpointId))).rejects.toMatchObject({ status: 404 });
});

test('an address inside the shop’s own network is refused', async () => {
  await expect(addEndpoint(shop(), 'https://10.0.0.1/', {})).rejects.toMatchObject({ status: 400 });
});
