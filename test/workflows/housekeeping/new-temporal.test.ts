import { expect, test } from 'vitest';
import { findServer } from '../../../local/temporal/find-server.ts';
import { startTemporal } from '../../../local/temporal/start-server.ts';
import { countFollowed, markFollowed } from '../../../db/returns/followed.ts';
import { booksOf } from '../../support/books.ts';
import { aRequestedReturn } from '../../support/builders/return.ts';
import { aFlow } from '../../support/flow.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

test('a Temporal that is new: its first worker starts a workflow for every open return of the books', async () => {
  const found = await findServer({ environment: process.env, say: () => undefined });
  if (!('binary' in found)) return;
  const temporal = await startTemporal({ binary: found.binary });
  const flow = await aFlow({ temporalAddress: temporal.address, startsWorker: false });
  const { fork } = booksOf(() => flow.api.orm);
  const rmas = [];
  for (let n = 0; n < 3; n++) rmas.push(await aRequestedReturn(flow.api.orm));
  for (const { returnId } of rmas) await markFollowed(fork(), returnId);
  expect(await countFollowed(fork())).toBe(3);

  const worker = await aWorkerProcess(flow);
  try {
    for (const { returnId } of rmas)
      await waitUntil(`return ${returnId} is followed`, async () => {
        const run = await flow.client.workflow
          .getHandle(`return-${returnId}`)
          .describe()
          .catch(() => undefined);
        return run?.status.name === 'RUNNING';
      });
  } finally {
    await worker.kill();
    await flow.close();
    await temporal.stop();
  }
}, 120_000);
