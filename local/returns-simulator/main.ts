import { loadSettings } from '../../providers/settings.ts';
import { endOnSignal } from '../little-server.ts';
import { startReturnsSimulator } from './server.ts';

/** It listens on the port that the documents name. */
const defaultUrl = 'http://127.0.0.1:8092';

const settings = loadSettings();
const { port } = new URL(settings.RETURNS_SERVICE_URL ?? defaultUrl);
const simulator = await startReturnsSimulator({ port: Number(port === '' ? 80 : port) });
console.log(`returns simulator ready at ${simulator.url}`);
endOnSignal(simulator);
