import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { activateTerminal } from '../../../db/terminals/activate-terminal.ts';
import { recordHeartbeat } from '../../../db/terminals/record-heartbeat.ts';
import { releaseTerminal } from '../../../db/terminals/release-terminal.ts';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { findTerminal } from '../../../db/terminals/terminal.repository.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
});
afterAll(() => orm.close());

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
  await expect(activate(code, 'ipad-2')).rejects.toMatchObject({ status: 404, message: 'Activation code not valid.' });
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
