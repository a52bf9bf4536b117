import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { expect, test } from 'vitest';
import { checkTemporal } from '../../../providers/doctor/check-temporal.ts';
import { setUpTemporal } from '../../../cli/set-up-temporal.ts';
import { parseSettings } from '../../../providers/settings.ts';
import { commandContextOf } from '../../cli/support.ts';

const address = process.env['TEST_TEMPORAL'] ?? '';
const noDatabase = {} as Parameters<typeof commandContextOf>[0];

/** A shop whose namespace nobody made yet. */
const aShop = (settings: Record<string, string> = {}) =>
  commandContextOf(noDatabase, {
    settings: parseSettings({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: `shop-${randomUUID()}`, ...settings }),
    now: () => new Date(),
  });

const setUp = 'npm run pos -- temporal set-up';

test('on a server without the namespace doctor names the one command that makes it, and the command does', async () => {
  const shop = aShop();
  const namespace = shop.settings.TEMPORAL_NAMESPACE;
  expect(await checkTemporal(shop)).toMatchObject([
    { name: 'temporal', state: 'ok' },
    { name: 'namespace', state: 'broken', says: `"${namespace}" does not exist`, fix: setUp },
  ]);

  const { text, isFine } = await setUpTemporal(shop);

  expect([text, isFine]).toEqual([
    expect.stringMatching(new RegExp(`^The namespace "${namespace}" at ${address} is ready: made the namespace, with`)),
    true,
  ]);
  expect(await checkTemporal(shop)).toMatchObject([
    { name: 'temporal', state: 'ok' },
    { name: 'namespace', state: 'ok' },
    { name: 'search attributes', state: 'ok', says: 'all 7 are registered' },
    { name: 'worker', state: 'broken', fix: 'npm run worker' },
  ]);
  expect(await setUpTemporal(shop)).toMatchObject({ text: expect.stringContaining('nothing was missing') });
});

test('doctor says that closed workflows are forgotten early and which search attributes are missing', async () => {
  const shop = aShop();
  const connection = await Connection.connect({ address });
  await connection.workflowService.registerNamespace({
    namespace: shop.settings.TEMPORAL_NAMESPACE,
    workflowExecutionRetentionPeriod: msToTs('3 days'),
  });
  await connection.close();

  expect(await checkTemporal(shop)).toMatchObject([
    { name: 'temporal', state: 'ok' },
    { name: 'namespace', state: 'warning', says: expect.stringContaining('before 30 days are over'), fix: setUp },
    { name: 'search attributes', state: 'broken', says: expect.stringMatching(/^missing: PosStatus, /), fix: setUp },
    { name: 'worker', state: 'broken' },
  ]);
});

test('a server that does not answer is one sentence of the set-up, and so is one that has no address', async () => {
  await expect(setUpTemporal(aShop({ TEMPORAL_ADDRESS: '127.0.0.1:9' }))).rejects.toThrow(
    /^No Temporal server answers at 127\.0\.0\.1:9 \(.*\); start it, or correct TEMPORAL_ADDRESS\.$/,
  );
  await expect(setUpTemporal(commandContextOf(noDatabase))).rejects.toThrow(/^TEMPORAL_ADDRESS is not set/);
});

test('a name that the server refuses is one sentence of the set-up', async () => {
  await expect(setUpTemporal(aShop({ TEMPORAL_NAMESPACE: 'x'.repeat(2_000) }))).rejects.toThrow(
    /^The namespace "x+" at .* could not be made \(.+\); on a server of others let its owner make it\.$/,
  );
});
