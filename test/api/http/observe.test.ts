import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHealth, type HealthWatch } from '../../../api/http/health.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { createSecretBox } from '../../../db/support/secret-box.ts';
import { createLog } from '../../../providers/log.ts';
import { parseSettings } from '../../../providers/settings.ts';
import { connectWorkflows } from '../../../providers/temporal/connect-workflows.ts';
import type { Workflows } from '../../../providers/temporal/workflows.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { impatient, testDatabaseUrl } from '../../support/database.ts';
import { aWireTo, type Wire } from '../../support/wire.ts';

/** A Temporal that answers, or is away, as a test says. */
function aTemporal() {
  const nobody = () => Promise.reject(new Error('nobody asks'));
  const says = { isThere: true, knowsUs: true };
  const workflows: Workflows = {
    ...{ ask: nobody, signal: nobody, start: nobody, refuseWhileAway: async () => undefined },
    isReachable: async () => says.isThere,
    hasNamespace: async () => says.knowsUs,
  };
  return { says, workflows };
}

describe('health', () => {
  const { says, workflows } = aTemporal();
  let wire: Wire;
  let api: TestApi;
  beforeAll(async () => {
    wire = await aWireTo(await testDatabaseUrl());
    api = await testApi({
      routes: [],
      workflows,
      limits: impatient,
      databaseUrl: wire.url,
      settings: { POS_SECRET_KEY: secretKey },
    });
  });
  afterAll(async () => {
    await api.close();
    await wire.stop();
  });
  const books = booksOf(() => api.orm);
  const ready = async () => {
    const { status, body } = await api.call('GET', '/health/ready');
    return { status, body };
  };
  const wellBut = (part: string, state: string, sentence: unknown) => ({
    body: { parts: { [part]: { state, says: sentence } }, missing: [sentence] },
  });
  const firstDay = 'Migration20261121225501_first_day';

  test('every part is told, and all is well', async () => {
    const well = { state: 'ok' };
    expect(await ready()).toEqual({
      status: 200,
      body: { status: 'ok', parts: { database: well, schema: well, keys: well, installation: well, temporal: well } },
    });
  });

  test('while Temporal is away the shop sells on: the part is named, and the door says so', async () => {
    says.isThere = false;
    expect(await ready()).toMatchObject({
      ...{ status: 200, ...wellBut('temporal', 'degraded', 'Temporal does not answer') },
    });
    expect((await api.call('GET', '/')).body).toContain('Ready, but: Temporal does not answer.');
    says.isThere = true;
  });

  test('a namespace that Temporal does not have is named', async () => {
    says.knowsUs = false;
    expect(await ready()).toMatchObject({
      ...{ status: 200, ...wellBut('temporal', 'degraded', expect.stringMatching(/no namespace "pos"; run .*set-up/)) },
    });
    says.knowsUs = true;
  });

  test('the namespace is looked for where Temporal is', async () => {
    const of = (name: string) =>
      connectWorkflows({
        settings: parseSettings({ TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL'], TEMPORAL_NAMESPACE: name }),
        log: api.log,
      });
    const [ours, nobodys] = [await of('default'), await of('nobody-made-it')];
    expect(await nobodys.workflows.isReachable()).toBe(true);
    expect(await nobodys.workflows.hasNamespace?.()).toBe(false);
    expect(await ours.workflows.hasNamespace?.()).toBe(true);
    await Promise.all([ours.close(), nobodys.close()]);
  });

  test('tables that are too old are 503, and what the old tables hold is not judged', async () => {
    await books.change('schema_migration', { name: firstDay }, { name: 'Migration20260101000000_of_old' });
    expect(await ready()).toMatchObject({
      status: 503,
      body: {
        status: 'not ready',
        parts: { database: { state: 'ok' }, schema: { state: 'failed' }, keys: { state: 'unknown' } },
        missing: [expect.stringContaining(`migrations are pending: ${firstDay}`)],
      },
    });
    await books.change('schema_migration', { name: 'Migration20260101000000_of_old' }, { name: firstDay });
  });

  test('a database that is newer than the code is named, and serves on', async () => {
    await books.insert('schema_migration', { name: 'Migration20991231235959_of_tomorrow' });
    expect(await ready()).toMatchObject({
      ...{ status: 200, ...wellBut('schema', 'degraded', expect.stringContaining('_of_tomorrow')) },
    });
    await books.remove('schema_migration', { name: 'Migration20991231235959_of_tomorrow' });
  });

  test('a database that was restored or copied, and nobody said which, is named', async () => {
    await books.change('installation', {}, { home: '1/1' });
    expect(await ready()).toMatchObject({
      ...{ status: 200, ...wellBut('installation', 'degraded', expect.stringContaining('pos -- restored mark')) },
    });
    await books.change('installation', {}, { home: null });
  });

  test('a database that stands still is 503, and comes back', async () => {
    wire.freeze();
    expect(await ready()).toMatchObject({
      status: 503,
      body: { parts: { database: { state: 'failed' }, schema: { state: 'unknown' }, temporal: { state: 'ok' } } },
    });
    wire.thaw();
    expect(await ready()).toMatchObject({ status: 200 });
  });

  describe('the secret key', () => {
    const keysWith = async (key: string | undefined) => {
      const settings = parseSettings({ POS_SECRET_KEY: key });
      const { status, parts } = await createHealth({ orm: api.orm, workflows, settings, log: api.log }).read();
      return { status, ...parts.keys };
    };
    const other = Buffer.alloc(32, 8).toString('base64');

    test('absent where nothing is sealed yet, it is named', async () => {
      expect(await keysWith(undefined)).toMatchObject({
        status: 'degraded',
        says: expect.stringMatching(/^POS_SECRET_KEY is not set/),
      });
      expect(await keysWith(other)).toEqual({ status: 'ok', state: 'ok' });
    });

    test('another one than the shop was sealed with, or none, is not ready', async () => {
      await setConfigValue(api.orm.em.fork(), createSecretBox(secretKey), {
        path: 'vendor_pos_terminal/provider_a/api_key',
        value: 'a key of the shop',
      });
      expect(await keysWith(secretKey)).toEqual({ status: 'ok', state: 'ok' });
      expect(await keysWith(other)).toMatchObject({
        status: 'not ready',
        says: expect.stringMatching(/^POS_SECRET_KEY does not open/),
      });
      expect(await keysWith(undefined)).toMatchObject({
        status: 'not ready',
        says: expect.stringMatching(/^POS_SECRET_KEY is not set, and/),
      });
      expect(JSON.stringify(await keysWith(other))).not.toContain('a key of the shop');
    });
  });

  test('the log says once what went away, reminds once a minute, and says when it is back', async () => {
    const lines: string[] = [];
    const log = createLog('api', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, { write: (line) => void lines.push(line) });
    let seconds = 0;
    const health: HealthWatch = createHealth(
      { orm: api.orm, workflows, settings: api.settings, log },
      { clock: () => seconds * 1_000 },
    );
    const lookAt = async (...moments: number[]) => {
      for (seconds of moments) await health.read();
      return lines.splice(0).map((line) => {
        const { msg, part, forSeconds } = JSON.parse(line) as Record<string, unknown>;
        return [seconds, msg, part, forSeconds];
      });
    };
    expect(await lookAt(0, 10)).toEqual([]);
    says.isThere = false;
    expect(await lookAt(20, 21, 40, 79)).toEqual([[79, 'a part of the service is missing', 'temporal', undefined]]);
    expect(await lookAt(80, 90, 139)).toEqual([[139, 'a part of the service is still missing', 'temporal', 60]]);
    says.isThere = true;
    expect(await lookAt(150, 160)).toEqual([[160, 'a part of the service is back', 'temporal', 130]]);
  });

  test('who asks at the same time shares one look', async () => {
    let looks = 0;
    const counting = { ...workflows, isReachable: async () => ++looks > 0 };
    const health = createHealth({ orm: api.orm, workflows: counting, settings: api.settings, log: api.log });
    await Promise.all(Array.from({ length: 20 }, () => health.read()));
    expect(looks).toBe(1);
  });

  test('a worker without Temporal is not ready', async () => {
    says.isThere = false;
    const of = { orm: api.orm, workflows, settings: api.settings, log: api.log };
    expect(await createHealth(of, { needsTemporal: true }).read()).toMatchObject({
      ...{ status: 'not ready', missing: ['Temporal does not answer'] },
    });
    says.isThere = true;
  });
});
