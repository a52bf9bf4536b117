import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { findServer } from '../../local/temporal/find-server.ts';
import { startTemporal, type TemporalServer } from '../../local/temporal/start-server.ts';
import { spoken } from '../../providers/doctor/check.ts';
import { buildsCheck } from '../../providers/doctor/check-temporal.ts';
import { refuseUnregistered } from '../../providers/temporal/builds.ts';
import { forgetBuild, type KnownBuild, listBuilds, moveFrom, useBuild } from '../../cli/set-up-temporal.ts';
import { parseSettings } from '../../providers/settings.ts';
import { buildOf, createRenderWorker, createWorker } from '../../worker/create-worker.ts';
import { mailWorkflowId } from '../../workflows/messages.ts';
import { booksOf } from '../support/books.ts';
import { silent } from '../support/fakes.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { patiently } from '../support/patiently.ts';
import { aRegister } from '../support/register.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Workers of an old build and a new one, as in the middle of a deployment. */
let flow: Flow;
let connection: NativeConnection;
const stops = new Map<string, () => Promise<void>>();
beforeAll(async () => {
  flow = await aFlow({ startsWorker: false });
  connection = await NativeConnection.connect({ address: flow.temporalAddress });
});
afterAll(async () => {
  for (const stop of stops.values()) await stop();
  await connection.close();
  await flow.close();
});

const settingsOf = (build?: string) =>
  parseSettings({
    TEMPORAL_ADDRESS: flow.temporalAddress,
    TEMPORAL_DEPLOYMENT: flow.taskQueue,
    TEMPORAL_TASK_QUEUE: flow.taskQueue,
    TEMPORAL_BUILD_ID: build,
  });
const use = (build: string) => useBuild({ settings: settingsOf() }, build);
const builds = async () => (await listBuilds({ settings: settingsOf() })).json as KnownBuild[];

const placeOf = (build: string) => ({
  ...{ connection, namespace: 'pos', taskQueue: flow.taskQueue, build: buildOf(settingsOf(build)) },
});

async function startWorker(build: string, at = connection): Promise<void> {
  const worker = await createWorker({
    ...placeOf(build),
    connection: at,
    bundle: process.env['TEST_BUNDLE'] ?? '',
    dependencies: {
      ...{ orm: flow.api.orm, providers: flow.api.workerProviders(), log: silent, clock: () => new Date() },
      ...{ gatewayTimeoutSeconds: 5, reconcileAfterSeconds: 0 },
    },
  });
  runAs(build, worker);
}

/** What sends mails of a build. */
async function startMails(build: string): Promise<void> {
  const dependencies = {
    ...{ orm: flow.api.orm, providers: flow.api.workerProviders(), log: silent },
    ...{ alarmsTo: undefined, escalateTo: undefined, publicUrl: 'http://shop.example', publicBaseUrl: undefined },
    pageOf: () => undefined,
  };
  runAs(`mails of ${build}`, await createRenderWorker({ ...placeOf(build), dependencies }));
}

function runAs(name: string, worker: Worker): void {
  const running = worker.run();
  stops.set(name, async () => {
    worker.shutdown();
    await running;
    stops.delete(name);
  });
}
/** The builds that took the steps of a workflow, each once, in order. */
async function buildsOf(workflowId: string): Promise<string[]> {
  const { events } = await flow.client.workflow.getHandle(workflowId).fetchHistory();
  const taken = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: step }) =>
    step ? [step.deploymentVersion?.buildId ?? ''] : [],
  );
  return taken.filter((build, at) => build !== taken[at - 1]);
}

test('a return goes on with the new build and, rolled back, with the old one; a mail stays with the build that began it', async () => {
  const register = aRegister(flow);
  const { find } = booksOf(() => flow.api.orm);
  const parked = async () => {
    const { status, body } = await register.returnOne(await register.sale('10.00'));
    expect(status).toBe(200);
    return body.id as number;
  };
  const settle = async (id: number) => {
    const { status, body } = await patiently(() =>
      register.call('POST', `/V1/pos/rma/${id}/settle`, { method: 'cash' }),
    );
    return [status, body.status ?? body.message];
  };
  const settled = [200, 'closed'];

  await startWorker('1.0');
  await use('1.0');
  const [first, second] = [await parked(), await parked()];
  const mail = { workflowId: mailWorkflowId(1), taskQueue: flow.taskQueue, args: [{ mailId: 1 }] };
  const { workflowId } = await flow.client.workflow.start('mailWorkflow', {
    ...mail,
    workflowId: `${mail.workflowId}-${flow.taskQueue}`,
  });
  await waitUntil('the mail has begun', async () => (await buildsOf(workflowId)).length > 0);

  await startWorker('2.0');
  await use('2.0');
  await waitUntil('the mail is known as one that stays', async () => (await builds()).some(({ stay }) => stay === 1));
  expect(await builds()).toEqual(
    expect.arrayContaining([
      { buildId: '2.0', state: 'current', stay: 0, workers: 1 },
      { buildId: '1.0', state: 'draining', stay: 1, workers: 1 },
    ]),
  );
  expect(await settle(first)).toEqual(settled);
  const third = await parked();
  expect(await buildsOf(`return-${first}`)).toEqual(['1.0', '2.0']);
  expect(await buildsOf(`return-${third}`)).toEqual(['2.0']);
  const { raw } = await flow.client.workflow.getHandle(workflowId).describe();
  expect(raw.workflowExecutionInfo?.versioningInfo).toMatchObject({
    behavior: 1,
    deploymentVersion: { buildId: '1.0' },
  });

  // Rolled back: what the new build began goes on with the old one.
  await use('1.0');
  await stops.get('2.0')?.();
  expect(await settle(second)).toEqual(settled);
  expect(await settle(third)).toEqual(settled);
  expect(await buildsOf(`return-${third}`)).toEqual(['2.0', '1.0']);
  const statuses = await find('sale_return', {}, 'status');
  expect(statuses.map(({ status }) => status)).toEqual(['closed', 'closed', 'closed']);

  // A build whose workers are gone for good: what it began waits until a person moves it.
  await startWorker('3.0');
  await use('3.0');
  await stops.get('1.0')?.();
  const aWhileLater = Date.now() + 90_000;
  expect((await listBuilds({ settings: settingsOf() }, aWhileLater)).text).toMatch(
    /^1\.0 +draining +0 workers +1 of its own to end +start a worker of it, or run: temporal move 1\.0$/m,
  );
  await expect(moveFrom({ settings: settingsOf() }, '3.0')).rejects.toThrow(/^Nothing moves from build "3\.0"/);
  expect((await moveFrom({ settings: settingsOf() }, '1.0')).text).toBe('1 of build 1.0 go on with build 3.0.');
  await startMails('3.0');
  expect(await flow.client.workflow.getHandle(workflowId).result()).toEqual(expect.any(String));
  expect(await buildsOf(workflowId)).toEqual(['1.0', '3.0']);
  expect((await moveFrom({ settings: settingsOf() }, '1.0')).text).toBe('Nothing was left of build 1.0.');
});

test('a build whose workers nobody started gets no work, and the answer says what to do', async () => {
  await expect(useBuild({ settings: settingsOf() }, '9.9', 1_000)).rejects.toThrow(
    /^No worker of build 9\.9 of ".+" asks for work \(.+\); start one with TEMPORAL_BUILD_ID=9\.9 first\./,
  );
});

describe('a server that keeps as many builds as it may', () => {
  const most = 2;
  let server: TemporalServer;
  let reached: NativeConnection;
  let asked: Connection;
  beforeAll(async () => {
    const found = await findServer({ environment: process.env, say: () => undefined });
    if (!('binary' in found)) throw new Error('these tests need their own server: unset TEMPORAL_ADDRESS');
    server = await startTemporal({
      binary: found.binary,
      settings: { 'matching.maxVersionsInDeployment': most },
    });
    reached = await NativeConnection.connect({ address: server.address });
    asked = await Connection.connect({ address: server.address });
  });
  afterAll(async () => {
    for (const build of [...stops.keys()].filter((name) => name.startsWith('full-'))) await stops.get(build)?.();
    await asked.close();
    await reached.close();
    await server.stop();
  });

  const settingsFor = (build?: string) => ({ ...settingsOf(build), TEMPORAL_ADDRESS: server.address });
  const registered = (build?: string) =>
    refuseUnregistered({
      ...{ workflowService: asked.workflowService, settings: settingsFor(build) },
      ...{ signal: AbortSignal.timeout(60_000), withinMs: 3_000, everyMs: 100 },
    });
  const start = (build: string) => startWorker(build, reached);

  const forget = (build: string) => forgetBuild({ settings: settingsFor() }, build);
  const namesNow = async () =>
    ((await listBuilds({ settings: settingsFor() })).json as KnownBuild[]).map((one) => one.buildId);

  test('a build that no worker asks work for is removed', async () => {
    const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_DEPLOYMENT: deploymentName } = settingsFor();
    const { workflowService } = asked;
    const by = { namespace, identity: 'test' };
    await workflowService.createWorkerDeployment({ ...by, deploymentName, requestId: 'deployment' });
    const deploymentVersion = { deploymentName, buildId: 'full-0' };
    await workflowService.createWorkerDeploymentVersion({ ...by, deploymentVersion, requestId: 'version' });
    expect(await namesNow()).toEqual(['full-0']);
    expect((await forget('full-0')).text).toMatch(/^The server no longer knows build full-0 of /);
    expect(await namesNow()).toEqual([]);
  });

  test('the worker of one more ends with a sentence that says what to do; what gets work is not removed', async () => {
    await registered();
    await start('full-1');
    await registered('full-1');
    await useBuild({ settings: settingsFor() }, 'full-1');
    await start('full-2');
    await useBuild({ settings: settingsFor() }, 'full-2');

    await start('full-3');
    await expect(registered('full-3')).rejects.toThrow(
      /^The Temporal server does not register build full-3 of .+: it knows 2 builds and .+`temporal forget <build>`/,
    );
    await expect(useBuild({ settings: settingsFor() }, 'full-3', 0)).rejects.toThrow(/keeps as many builds as it may/);
    await expect(forget('full-3')).rejects.toThrow(/is not removed: the server does not know it/);
    await expect(forget('full-2')).rejects.toThrow(/is not removed: it gets the work\.$/);
    await expect(forget('full-1')).rejects.toThrow(/is not removed: 1 worker of it asks for work; stop them first/);
    expect((await namesNow()).toSorted()).toEqual(['full-1', 'full-2']);
  });
});

test('an operator is warned before the server keeps as many builds as it may', () => {
  expect(spoken(buildsCheck(79)).state).toBe('ok');
  expect(spoken(buildsCheck(80))).toMatchObject({
    state: 'warning',
    says: 'the server knows 80; at its limit, 100 by default, workers of a new one get no work',
    fix: expect.stringContaining('temporal forget'),
  });
});
