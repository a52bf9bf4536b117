import { loadSettings } from '../../providers/settings.ts';
import { endOnSignal } from '../little-server.ts';
import { startGatewaySimulator } from './server.ts';

/** It listens on the port that the documents name. */
const defaultUrl = 'http://127.0.0.1:8090';

const settings = loadSettings();
const { port, hostname } = new URL(settings.GATEWAY_SIMULATOR_URL ?? defaultUrl);
const simulator = await startGatewaySimulator({
  host: settings.HOST,
  // Its name in a set-up with containers.
  names: [hostname],
  port: Number(port === '' ? 80 : port),
  dataDir: settings.POS_DATA_DIR,
});
console.log(`gateway simulator ready at ${simulator.url}`);
endOnSignal(simulator);
