import { loadSettings } from '../../providers/settings.ts';
import { startGatewaySimulator } from './server.ts';

/** The port everybody is told to find the simulator at is the one it listens on. */
const defaultUrl = 'http://127.0.0.1:8090';

const settings = loadSettings();
const { port, hostname } = new URL(settings.GATEWAY_SIMULATOR_URL ?? defaultUrl);
const simulator = await startGatewaySimulator({
  host: settings.HOST,
  // As the others of a set-up in containers call it.
  names: [hostname],
  port: Number(port === '' ? 80 : port),
  dataDir: settings.POS_DATA_DIR,
});
console.log(`gateway simulator ready at ${simulator.url}`);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void simulator.stop().then(() => process.exit(0)));
