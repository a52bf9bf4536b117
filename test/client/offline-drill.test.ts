import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Fault } from '../../client/conformance/line.ts';
import { aCounter, type Counter } from './a-counter.ts';
import type { DrillOrders } from './drill-register.ts';

/** `DRILL_SALES=500 DRILL_CUTS=60 DRILL_KILLS=20` is the long drill. */
const howMany = (name: string, usual: number) => Number(process.env[name] ?? usual);
const [sales, cuts, kills] = [howMany('DRILL_SALES', 30), howMany('DRILL_CUTS', 10), howMany('DRILL_KILLS', 4)];

let counter: Counter;
const folder = mkdtempSync(join(tmpdir(), 'drill-'));
beforeAll(async () => {
  counter = await aCounter();
});
afterAll(async () => {
  await counter.close();
  rmSync(folder, { recursive: true, force: true });
});

const faults: readonly Fault[] = [
  { kind: 'cut' },
  { kind: 'answer_lost' },
  { kind: 'half_an_answer' },
  { kind: 'answered_after', status: 504 },
  { kind: 'answered', status: 503 },
  { kind: 'twice' },
];

test('sales with a cut line and a killed register are booked once each, in order, with their totals', async () => {
  const saleIds = Array.from({ length: sales }, () => crypto.randomUUID());
  const file = join(folder, 'orders.json');
  const orders: DrillOrders = {
    ...{ url: counter.line.url, token: counter.api.tokens.register, folder, saleIds },
    ...{ place: counter.place, line: counter.mug },
  };
  writeFileSync(file, JSON.stringify(orders));
  const stride = Math.max(1, Math.floor((sales * 4) / cuts));
  counter.line.plan(
    Array.from({ length: cuts }, (_, at) => ({
      ...{ path: /./, after: at * stride + (at % stride), times: 1 + (at % 3) },
      fault: faults[at % faults.length]!,
    })),
  );

  const told: string[] = [];
  let killed = 0;
  for (let isOver = false; !isOver;) {
    const register = spawn(process.execPath, [new URL('drill-register.ts', import.meta.url).pathname, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const mayLive = killed < kills ? Math.max(1, Math.floor(sales / (kills + 1))) : sales * 2;
    const code = await livesUntil(register, mayLive, told);
    isOver = code === 0;
    if (!isOver) killed += 1;
  }

  expect(killed).toBe(kills);
  expect(told.filter((line) => line.startsWith('conflict'))).toEqual([]);
  expect(counter.line.exchanges.filter(({ fault }) => fault !== null).length).toBeGreaterThanOrEqual(cuts);
  const { books } = counter;
  const booked = await books.find('sales_order', {}, 'pos_sale_id', 'entity_id', 'grand_total', 'total_paid', 'status');
  expect(booked.map((order) => order.pos_sale_id)).toEqual(saleIds);
  expect(booked.map((order) => [order.grand_total, order.total_paid, order.status])).toEqual(
    saleIds.map((_, at) => {
      const total = `${(1 + (at % 3)) * 54}.0000`;
      return [total, total, 'complete'];
    }),
  );
  const receipts = await books.find('pos_receipt', {}, 'pos_order_id', 'order_increment_id');
  expect(receipts.map((receipt) => receipt.pos_order_id)).toEqual(saleIds);
  expect(receipts.filter((receipt) => receipt.order_increment_id === null)).toEqual([]);
  expect(await books.howMany('sales_invoice')).toBe(sales);
  expect(await books.howMany('sales_shipment')).toBe(sales);
  await books.booksHold();
});

/** Reads what the register tells, and kills it after so many lines. Its exit code; null where it was killed. */
async function livesUntil(register: ChildProcess, lines: number, told: string[]): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => register.once('exit', resolve));
  let left = lines;
  for await (const line of createInterface({ input: register.stdout! })) {
    told.push(line);
    if (--left === 0) register.kill('SIGKILL');
  }
  return ended;
}
