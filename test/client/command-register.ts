import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createClient } from '../../client/client.ts';
import type { Task } from '../../client/conformance/day.ts';
import { openFileStore } from '../../client/file-store.ts';
import { createOutbox } from '../../client/outbox.ts';
import { createRegister } from '../../client/register.ts';
import { cash, type Place, type Sold } from '../../client/sale.ts';

/**
 * A register as a command: one task on the standard input, carried out by our client, and the rest kept in a folder. So
 * each task is a restart.
 */
interface Home {
  folder: string;
  place: Place;
  deviceIdentifier: string;
}

const { POS_URL: url = '', POS_TOKEN: token = '', REGISTER_HOME = '' } = process.env;
const { folder, place, deviceIdentifier }: Home = JSON.parse(readFileSync(REGISTER_HOME, 'utf8'));
const task: Task = JSON.parse(await text(process.stdin));

const salesFile = join(folder, 'sales.json');
const sales: Record<string, Sold> = existsSync(salesFile) ? JSON.parse(readFileSync(salesFile, 'utf8')) : {};
const client = createClient({ url, token });
const outbox = createOutbox({ client, store: await openFileStore(join(folder, 'jobs')) });
const register = createRegister({ client, outbox, place, patienceMs: 3_000 });

const { email, lines, deposit = 0, of = '' } = task;
const sale = { lines, payment: cash, buyer: { email } };
if (task.do === 'catch_up') await outbox.send();
if (task.do === 'sell' || task.do === 'lay_away') {
  const made = await (task.do === 'sell' ? register.sell(sale) : register.layaway({ ...sale, deposit }));
  if (made.kind === 'done') writeFileSync(salesFile, JSON.stringify({ ...sales, [email]: made.value }));
}
if (task.do === 'take_back') {
  const { orderId = 0, itemIds = [] } = sales[of] ?? {};
  await register.takeBack({ orderId, method: 'cash', lines: itemIds.map((itemId) => ({ itemId, qty: 1 })) });
}
if (task.do === 'read_settings') {
  const path = { terminalId: place.terminalId };
  await client.post('/V1/pos/terminals/{terminalId}/heartbeat', { path, body: { deviceIdentifier } });
  await client.get('/V1/pos/terminals/{terminalId}/config', { path });
}
