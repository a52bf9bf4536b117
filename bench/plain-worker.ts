import { fileURLToPath } from 'node:url';
import { createServer } from 'node:http';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

/** The baseline of workflows: a worker with our settings, whose only workflow has eight empty steps. */
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: ['SIGTERM'] });
const connection = await NativeConnection.connect({ address: String(process.env['TEMPORAL_ADDRESS']) });
const worker = await Worker.create({
  connection,
  namespace: String(process.env['TEMPORAL_NAMESPACE']),
  taskQueue: String(process.env['TEMPORAL_TASK_QUEUE']),
  workflowBundle: await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('plain-workflows.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  }),
  activities: { nothing: async () => undefined },
  stickyQueueScheduleToStartTimeout: '2s',
  maxCachedWorkflows: 500,
});
const server = createServer((_request, response) => response.end('ok')).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
);
await worker.run();
server.close();
await connection.close();
