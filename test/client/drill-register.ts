import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../client/client.ts';
import { openFileStore } from '../../client/file-store.ts';
import { createOutbox } from '../../client/outbox.ts';
import { cash, stepsOfSale, type Place } from '../../client/sale.ts';
import type { SaleLine } from '../../client/totals.ts';

/** A register of its own process, for the offline drill: it presses so many sales, and sends whenever it can. */
export interface DrillOrders {
  url: string;
  token: string;
  folder: string;
  place: Place;
  line: SaleLine;
  saleIds: readonly string[];
}

const orders: DrillOrders = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const pressedFile = join(orders.folder, 'pressed');
const client = createClient({
  ...{ url: orders.url, token: orders.token },
  // A hundred times faster than a register.
  wait: (ms, signal) => pause(ms / 100, undefined, { signal }).catch(() => undefined),
});
const stop = new AbortController();
const outbox = createOutbox({
  client,
  store: await openFileStore(join(orders.folder, 'jobs')),
  onDone: ({ object }) => console.log(`done ${object}`),
  onConflict: ({ object, conflict }) => console.log(`conflict ${object} ${conflict.sentence}`),
});

const sending = outbox.keepSending(stop.signal);
let pressed = existsSync(pressedFile) ? Number(readFileSync(pressedFile, 'utf8')) : 0;
for (const saleId of orders.saleIds.slice(pressed)) {
  const line = { ...orders.line, qty: 1 + (pressed % 3) };
  await outbox.put({ object: saleId, steps: stepsOfSale(orders.place, { saleId, lines: [line], payment: cash }) });
  writeFileSync(pressedFile, String(++pressed));
}
while ((await outbox.jobs()).length > 0) await pause(20);
stop.abort();
await sending;
