import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { createOrm } from '../../../db/orm.ts';
import { activateTerminal } from '../../../db/terminals/activate-terminal.ts';
import { type Beat, recordHeartbeat } from '../../../db/terminals/record-heartbeat.ts';
import { releaseTerminal } from '../../../db/terminals/terminals.ts';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { findTerminal } from '../../../db/terminals/read-terminals.ts';
import { booksOf } from '../../support/books.ts';
import { aTerminal, secretBox } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';

describe('activate terminal', () => {
  const orm = useDatabase();

  const { fork, find } = booksOf(() => orm);
  const codeOf = async (terminalId: number) => (await findTerminal(fork(), terminalId)).activation_code ?? '';
  const activate = (activationCode: string, deviceIdentifier: string) =>
    activateTerminal(fork(), { activationCode, deviceIdentifier });
  const outcomes = async (work: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(work)).map((result) => (result.status === 'fulfilled' ? 'won' : String(result.reason)));

  test('a terminal without a device gets a code, and the code binds one device once', async () => {
    const { terminalId } = await aTerminal(fork(), { deviceIdentifier: null });
    const code = await codeOf(terminalId);
    expect(code).toMatch(/^[A-Z2-9]{8}$/);

    expect(await activate(code.toLowerCase(), 'ipad-1')).toBe(terminalId);
    expect(await findTerminal(fork(), terminalId)).toMatchObject({
      device_identifier: 'ipad-1',
      activation_used_at: expect.any(String),
    });
    expect(await activate(code, 'ipad-1')).toBe(terminalId);
    await expect(activate(code, 'ipad-2')).rejects.toMatchObject({
      status: 404,
      message: 'Activation code not valid.',
    });
  });

  // Several codes: a race that is lost once in a while must be lost here.
  test.each([1, 2, 3, 4, 5])('of sixteen devices on one code one wins, code %i', async () => {
    const { terminalId } = await aTerminal(fork(), { deviceIdentifier: null });
    const code = await codeOf(terminalId);

    const answers = await outcomes(Array.from({ length: 16 }, (_, rival) => activate(code, `rival-${rival}`)));

    expect(answers.filter((answer) => answer === 'won')).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set(['won', 'PosError: Activation code not valid.']));
    const winner = answers.indexOf('won');
    expect(await findTerminal(fork(), terminalId)).toMatchObject({ device_identifier: `rival-${winner}` });
  });

  test('one device on two codes at once ends at one of the terminals', async () => {
    const one = await aTerminal(fork(), { deviceIdentifier: null });
    const other = await aTerminal(fork(), { deviceIdentifier: null });
    const codes = [await codeOf(one.terminalId), await codeOf(other.terminalId)];

    expect(await outcomes(codes.map((code) => activate(code, 'wanderer')))).toEqual(['won', 'won']);

    const bound = await find('pos_terminal', { device_identifier: 'wanderer' }, 'terminal_id');
    expect(bound).toHaveLength(1);
  });

  test('a terminal that is switched off keeps its code', async () => {
    const { terminalId } = await aTerminal(fork(), { deviceIdentifier: null, isActive: false });
    const code = await codeOf(terminalId);
    await expect(activate(code, 'early')).rejects.toMatchObject({ status: 400 });

    await saveTerminal(fork(), terminalId, { isActive: true });
    expect(await activate(code, 'early')).toBe(terminalId);
  });

  test('a new code releases the device, which is told why when it asks', async () => {
    const { terminalId, deviceIdentifier } = await aTerminal(fork());
    await saveTerminal(fork(), terminalId, { regenerateActivationCode: true });

    expect(await findTerminal(fork(), terminalId)).toMatchObject({ device_identifier: null, activation_used_at: null });
    expect(await recordHeartbeat(fork(), { terminalId, deviceIdentifier })).toMatchObject({
      isBound: false,
      hasUnusedCode: true,
    });

    await activate(await codeOf(terminalId), 'successor');
    await expect(recordHeartbeat(fork(), { terminalId, deviceIdentifier })).rejects.toMatchObject({ status: 401 });
  });

  test('a device releases its own terminal, once or often, and no other', async () => {
    const { terminalId, deviceIdentifier } = await aTerminal(fork());
    await expect(releaseTerminal(fork(), { terminalId, deviceIdentifier: 'other' })).rejects.toMatchObject({
      status: 401,
    });

    await eightAtOnce(() => releaseTerminal(fork(), { terminalId, deviceIdentifier }));

    expect(await findTerminal(fork(), terminalId)).toMatchObject({ device_identifier: null, is_active: true });
    expect(await recordHeartbeat(fork(), { terminalId, deviceIdentifier })).toMatchObject({
      isBound: false,
      hasUnusedCode: false,
    });
    await expect(releaseTerminal(fork(), { terminalId: 99_999, deviceIdentifier })).rejects.toMatchObject({
      status: 404,
      message: 'Terminal with id %1 does not exist',
      parameters: [99_999],
    });
  });

  test('a terminal’s row stays as it is when it is heard of', async () => {
    const { terminalId, deviceIdentifier } = await aTerminal(fork());
    const before = await findTerminal(fork(), terminalId);
    const [first, second] = [
      await recordHeartbeat(fork(), { terminalId, deviceIdentifier }),
      await recordHeartbeat(fork(), { terminalId, deviceIdentifier }),
    ];
    const after = await findTerminal(fork(), terminalId);

    expect(first).toEqual(second);
    expect(before.last_seen_at).toBeNull();
    expect({ ...after, last_seen_at: null }).toEqual(before);
    expect(after.last_seen_at).not.toBeNull();
  });
});

describe('record heartbeat', () => {
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
});
