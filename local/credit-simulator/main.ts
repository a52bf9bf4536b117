import { loadSettings } from '../../providers/settings.ts';
import { endOnSignal } from '../little-server.ts';
import { startCreditSimulator } from './server.ts';

/** It listens on the port that the documents name. */
const defaultUrl = 'http://127.0.0.1:8093';

const settings = loadSettings();
const { port } = new URL(settings.CREDIT_SERVICE_URL ?? defaultUrl);
const simulator = await startCreditSimulator({ port: Number(port === '' ? 80 : port) });
// Fifty, in units of a balance, on a card for trying out.
simulator.balances.set('OUTSIDE-50', 500_000);
console.log(`credit simulator ready at ${simulator.url}`);
endOnSignal(simulator);
