import { hash } from 'node:crypto';
import { loadSettings } from '../../providers/settings.ts';
import { credentials } from '../demo-shop/stores.ts';
import { endOnSignal } from '../little-server.ts';
import { startSimulators } from './app.ts';

/** `main.ts [PORT]`: without one, that of the gateway's address, which the documents name. */
const defaultUrl = 'http://127.0.0.1:8090';

const settings = loadSettings();
const { port: portOfGateway, hostname } = new URL(settings.GATEWAY_SIMULATOR_URL ?? defaultUrl);
const [port = portOfGateway || 80] = process.argv.slice(2);
const simulators = await startSimulators({
  host: settings.HOST,
  // Its name in a set-up with containers.
  names: [hostname],
  port: Number(port),
  dataDir: settings.POS_DATA_DIR,
});
// The same token after every start, because registers fetch their configuration again when it changes.
for (const { licenseKey } of credentials.terminals)
  simulators.license.licenses.set(licenseKey, { status: 'active', type: 'pro', token: hash('sha256', licenseKey) });
// Fifty, in units of a balance, on a card for trying out.
simulators.credit.balances.set('OUTSIDE-50', 500_000);
console.log(`simulators ready at ${simulators.url}`);
endOnSignal(simulators);
