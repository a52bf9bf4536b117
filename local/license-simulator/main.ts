import { hash } from 'node:crypto';
import { loadSettings } from '../../providers/settings.ts';
import { credentials } from '../demo-shop/stores.ts';
import { endOnSignal } from '../little-server.ts';
import { startLicenseSimulator } from './server.ts';

/** It listens on the port that the documents name. */
const defaultUrl = 'http://127.0.0.1:8091';

const settings = loadSettings();
const { port } = new URL(settings.LICENSE_SERVICE_URL ?? defaultUrl);
const simulator = await startLicenseSimulator({ port: Number(port === '' ? 80 : port) });
// The same token after every start, because registers fetch their configuration again when it changes.
for (const { licenseKey } of credentials.terminals)
  simulator.licenses.set(licenseKey, { status: 'active', type: 'pro', token: hash('sha256', licenseKey) });
console.log(`license simulator ready at ${simulator.url}`);
endOnSignal(simulator);
