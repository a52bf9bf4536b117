import { loadSettings } from '../../providers/settings.ts';
import { startCreditSimulator } from './server.ts';

/** The port everybody is told to find the service at is the one it listens on. */
const defaultUrl = 'http://127.0.0.1:8093';

const settings = loadSettings();
const { port } = new URL(settings.CREDIT_SERVICE_URL ?? defaultUrl);
const simulator = await startCreditSimulator({ port: Number(port === '' ? 80 : port) });
// Fifty, in the unit balances are counted in, on a card that anybody can try.
simulator.balances.set('OUTSIDE-50', 500_000);
console.log(`credit simulator ready at ${simulator.url}`);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void simulator.stop().then(() => process.exit(0)));
