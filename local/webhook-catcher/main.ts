import { startWebhookCatcher } from './server.ts';

const [, , port = '8093'] = process.argv;
const catcher = await startWebhookCatcher({ port: Number(port) });
console.log(`webhook catcher ready at ${catcher.url}`);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void catcher.stop().then(() => process.exit(0)));
