import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { createOrm } from '../../../db/orm.ts';
import { recordHeartbeat, type Beat } from '../../../db/terminals/record-heartbeat.ts';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { aTerminal, secretBox } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { atOnce } from '../../support/rivals.ts';

let orm: MikroORM;
/** Another process of the same shop. */
let second: MikroORM;
let locationId: number;

beforeAll(async () => {
  const url = await testDatabaseUrl();
  [orm, second] = [await createOrm(url), await createOrm(url)];
  ({ locationId } = await aShop(fork()));
});
afterAll(() => Promise.all([orm.close(), second.close()]));

const { fork, find, findOne, change } = booksOf(() => orm);

const beat = (beat: Beat, from = orm) => recordHeartbeat(from.em.fork(), beat);
const unseen = async () => {
  const found = await find('pos_terminal_heartbeat', { last_seen_at: null }, 'terminal_id');
  return found.map(({ terminal_id: id }) => id);
};

test('of beats that come together each is answered as if it had come alone', async () => {
  const licensed = await aTerminal(fork(), { locationId });
  const bare = await aTerminal(fork(), { license: 'none' });
  const released = await aTerminal(fork());
  await saveTerminal(fork(), released.terminalId, { regenerateActivationCode: true });
  const path = 'vendor_pos/general/require_terminal_registration';
  await setConfigValue(fork(), secretBox, { path, value: '0', scope: 'websites', scopeId: 1 });

  const beats = [released, bare, licensed];
  const alone = [await beat(released), await beat(bare), await beat(licensed)];
  const together = await Promise.all(beats.map((one) => beat(one)));

  expect(together).toEqual(alone);
  expect(new Set(together.map(({ versions }) => versions)).size).toBe(3);
  expect(together.map(({ isBound }) => isBound)).toEqual([false, true, true]);
});

test('a stranger and an unknown terminal among them are refused each for itself, and the others are seen', async () => {
  const [one, two] = [await aTerminal(fork()), await aTerminal(fork())];
  const answers = await Promise.allSettled([
    beat(one),
    beat({ terminalId: one.terminalId, deviceIdentifier: two.deviceIdentifier }),
    beat({ terminalId: 99_999, deviceIdentifier: 'nobody' }),
    beat(two),
  ]);
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: { terminalId: one.terminalId } },
    { status: 'rejected', reason: { refusal: { status: 401, message: 'Device identifier mismatch.' } } },
    { status: 'rejected', reason: { refusal: { status: 404 } } },
    { status: 'fulfilled', value: { terminalId: two.terminalId } },
  ]);
  expect(await unseen()).toEqual([]);
});

test('no beat of a thousand is lost, from two processes at once and in any order', async () => {
  const terminals = await atOnce(20, () => aTerminal(fork(), { license: 'none' }));
  await change('pos_terminal_heartbeat', {}, { last_seen_at: null });
  const before = new Date();

  const mixed = Array.from({ length: 500 }, (_, at) => terminals[(at * 7) % 20] ?? terminals[0]!);
  await Promise.all([...mixed.map((one) => beat(one)), ...mixed.toReversed().map((one) => beat(one, second))]);

  const ids = terminals.map(({ terminalId }) => terminalId);
  expect((await unseen()).filter((id) => ids.includes(id))).toEqual([]);
  const seen = await Promise.all(
    ids.map((id) => findOne('pos_terminal_heartbeat', { terminal_id: id }, 'last_seen_at')),
  );
  const late = seen.filter(({ last_seen_at: at }) => new Date(at) < before);
  expect(late).toEqual([]);
});
