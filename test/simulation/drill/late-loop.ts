import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { receiptPath } from '../../../domain/receipts/receipt-view-of.ts';
import type { Lane, Lateness, ProcessName } from '../../crash/lane.ts';
import { anAdminToken } from '../../support/builders/admin-token.ts';
import { aPostedLine, aPostedSale } from '../../support/builders/posted-sale.ts';
import { aReceipt, aStaffMember, aTerminal } from '../../support/builders/counter.ts';

/** How much of each work a drill gives: 1 is the most that a route takes. */
export interface LoopDrill {
  lane: Lane;
  share: number;
  /** How long the worker carries out the bulk, and the shop stands idle. */
  seconds: number;
  /** Only these kinds of work. */
  only?: readonly string[];
}

/** How late the loop of a process was under a work, as ratios to the idle one of the same run. */
interface UnderWork {
  p99: number;
  most: number;
  /** The most processor time that one turn of the loop took, in ms, whatever else the machine did. */
  longestTurnMs: number;
  seconds: number;
  /** Looks at whether the API lives that were answered before the work was. */
  answeredBetween: number;
}

export interface LoopReport {
  /** Of the API, with nothing but these looks. */
  idle: Lateness;
  works: Record<string, UnderWork>;
  wrong: string[];
}

interface Work {
  where: ProcessName;
  /** What it needs, made before anything is measured. Then the work; it answers how much was done. */
  prepare: (drill: LoopDrill) => Promise<() => Promise<number>>;
}

const words = (bytes: number) => 'lorem ipsum '.repeat(Math.ceil(bytes / 12)).slice(0, bytes);
const many = <Thing>(count: number, make: (at: number) => Thing) =>
  Array.from({ length: Math.max(1, count) }, (_, at) => make(at));

/** Sends a body as it is; answers the status and the text. */
async function send(lane: Lane, method: string, path: string, body?: string, token = lane.token) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${lane.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, text: await response.text() };
}

/** One request that must be answered 200 or 202. */
async function done(...request: Parameters<typeof send>): Promise<string> {
  const [, method, path] = request;
  const { status, text } = await send(...request);
  if (status !== 200 && status !== 202) throw new Error(`${method} ${path} was ${status}: ${text.slice(0, 300)}`);
  return text;
}

const once =
  (method: string, path: string, bodyOf?: (drill: LoopDrill) => unknown): Work['prepare'] =>
  async (drill) => {
    const body = bodyOf && JSON.stringify(bodyOf(drill));
    return async () => {
      await done(drill.lane, method, path, body);
      return body?.length ?? 1;
    };
  };

const product = (at: number) => ({
  product: {
    ...{ sku: `LOOP-${at}`, name: `Loop ${at}`, price: 10, attribute_set_id: 4, type_id: 'simple' },
    custom_attributes: [{ attribute_code: 'description', value: words(400) }],
  },
});

const works: Record<string, Work> = {
  'a picture of 3 MB is drawn anew': {
    where: 'api',
    async prepare({ lane, share }) {
      await done(
        lane,
        'POST',
        '/rest/V1/products',
        JSON.stringify({ product: { ...product(0).product, sku: 'PICTURED' } }),
      );
      const side = Math.round(1_000 * Math.sqrt(share));
      const raw = { width: side, height: side, channels: 3 } as const;
      const file = await sharp(randomBytes(side * side * 3), { raw })
        .jpeg({ quality: 96 })
        .toBuffer();
      const content = { base64_encoded_data: file.toString('base64'), type: 'image/jpeg', name: 'loop.jpg' };
      const body = JSON.stringify({
        entry: { media_type: 'image', label: 'Loop', position: 1, disabled: false, types: [], content },
      });
      return async () => {
        await done(lane, 'POST', '/rest/V1/products/PICTURED/media', body);
        return file.length;
      };
    },
  },
  'telemetry of 8 MB': {
    where: 'api',
    prepare: once('POST', '/rest/V1/pos/telemetry', ({ share }) => ({
      payload: {
        ...{ location_id: 1, terminal_id: 1, device_id: 'loop' },
        events: many(60_000 * share, (at) => ({
          ...{ event_type: 'counter', event_name: `event-${at % 50}`, value: at },
          recorded_at: '2026-11-27T10:00:00.000Z',
        })),
      },
    })),
  },
  'eight members of staff sign in': {
    where: 'api',
    async prepare({ lane, share }) {
      const crew = await Promise.all(many(8 * share, () => aStaffMember(lane.orm.em.fork())));
      return async () => {
        for (const { email } of crew)
          await done(lane, 'POST', '/rest/V1/pos/staff/authenticate', JSON.stringify({ email, passcode: '1234' }));
        return crew.length;
      };
    },
  },
  'an order of 400 lines': {
    where: 'api',
    prepare: once('POST', '/rest/V1/orders', ({ share }) => ({
      entity: aPostedSale({ items: many(400 * share, (at) => aPostedLine({ sku: `MUG-${at}` })) }),
    })),
  },
  'a receipt of 1 MB': {
    where: 'api',
    async prepare({ lane, share }) {
      const { terminalId } = await aTerminal(lane.orm.em.fork(), { locationId: lane.shop.locationId });
      const items = many(5_000 * share, (at) => ({
        sku: `S-${at}`,
        name: `Thing ${at}`,
        qty: 1,
        price: 1,
        row_total: 1,
      }));
      const body = JSON.stringify({ receipt: aReceipt(terminalId, { items }) });
      return async () => {
        await done(lane, 'POST', '/rest/V1/pos/receipts', body);
        return body.length;
      };
    },
  },
  'eight receipts are printed as PDF': {
    where: 'worker',
    async prepare({ lane, share }) {
      const { terminalId } = await aTerminal(lane.orm.em.fork(), { locationId: lane.shop.locationId });
      const paths: string[] = [];
      for (const receipt of many(8 * share, () => aReceipt(terminalId))) {
        const kept = await done(lane, 'POST', '/rest/V1/pos/receipts', JSON.stringify({ receipt }));
        const { receipt_token: token } = JSON.parse(kept) as { receipt_token: string };
        paths.push(`${receiptPath(token)}/pdf`);
      }
      return async () => {
        for (const path of paths) await done(lane, 'GET', path);
        return paths.length;
      };
    },
  },
  'a content page of 400 kB is published': {
    where: 'api',
    async prepare({ lane, share }) {
      const content = `<div class="row"><p style="color: red">${words(100)}</p></div>`.repeat(Math.ceil(2_600 * share));
      const css = many(500 * share, (at) => `.c${at} > p:hover { color: #${at % 1_000}; margin: ${at}px }`).join('\n');
      const token = await anAdminToken(lane.orm.em.fork());
      const page = {
        identifier: `loop-${randomBytes(4).toString('hex')}`,
        title: 'Loop',
        content,
        extension_attributes: { css },
      };
      const { id } = JSON.parse(await done(lane, 'POST', '/rest/V1/cmsPage', JSON.stringify({ page }), token)) as {
        id: number;
      };
      return async () => {
        await done(lane, 'POST', `/rest/V1/cmsPage/${id}/publish`, '{}', token);
        return content.length;
      };
    },
  },
  'quantities of 2,000 goods': {
    where: 'api',
    prepare: once('POST', '/rest/V1/inventory/source-items', ({ share }) => ({
      sourceItems: many(2_000 * share, (at) => ({ sku: `MUG`, source_code: 'floor', quantity: at, status: 1 })),
    })),
  },
  'a page of 5,000 products': {
    where: 'api',
    async prepare({ lane, share }) {
      const mark = randomBytes(4).toString('hex');
      await lane.orm.em.fork().execute(
        `insert into product (sku, name, price, website_ids, custom_attributes, created_at, updated_at)
         select ? || n, 'Paged ' || n, 10, '{1}', jsonb_build_object('description', repeat('x', 200)), now(), now()
         from generate_series(1, ?::int) as n`,
        [`${mark}-`, 5_000 * share],
      );
      return async () => {
        const path = `/rest/V1/products?searchCriteria[pageSize]=${5_000 * share}&searchCriteria[filter_groups][0][filters][0][field]=sku&searchCriteria[filter_groups][0][filters][0][value]=${mark}-%25&searchCriteria[filter_groups][0][filters][0][condition_type]=like`;
        const { items } = JSON.parse(await done(lane, 'GET', path)) as { items: unknown[] };
        return items.length;
      };
    },
  },
  'a feed of 500,000 prices': {
    where: 'api',
    async prepare({ lane, share }) {
      await lane.orm.em.fork().execute(
        `insert into catalog_rule_price (product_id, website_id, rule_date, customer_group_id, rule_price)
         select n, 1, current_date, 0, 9.5 from generate_series(1, ?::int) as n on conflict do nothing`,
        [500_000 * share],
      );
      return async () => (await done(lane, 'GET', '/rest/V1/pos/catalog-rule-prices?websiteId=1')).length;
    },
  },
  'the API document': { where: 'api', prepare: once('GET', '/openapi.json') },
  'the pages of the guide': { where: 'api', prepare: once('GET', '/docs') },
  // Last, as the worker goes on with it for minutes.
  'a bulk of 50,000 products is taken': {
    where: 'api',
    prepare: once('POST', '/rest/async/bulk/V1/products', ({ share }) => many(50_000 * share, product)),
  },
  'the worker carries it out': {
    where: 'worker',
    prepare:
      async ({ lane, seconds }) =>
      async () => {
        await pause(seconds * 1_000);
        const [row] = await lane.orm.em
          .fork()
          .execute<{ done: number }[]>(`select count(*)::int as done from product where sku like 'LOOP-%'`);
        return row?.done ?? 0;
      },
  },
};
export const workNames = Object.keys(works);

/** Every kind of work, one after the other, and how late the loop of its process was meanwhile. */
export async function drillLoop(drill: LoopDrill): Promise<LoopReport> {
  const { lane, seconds, only = workNames } = drill;
  await lane.loopOf('api');
  await whileAsked(lane, () => pause(seconds * 1_000, 1));
  const idle = rounded(await lane.loopOf('api'));
  const report: LoopReport = { idle, works: {}, wrong: [...lane.teller.faults] };
  for (const [name, work] of Object.entries(works)) {
    if (!only.includes(name)) continue;
    try {
      report.works[name] = await underWork(drill, work, idle);
    } catch (error) {
      report.wrong.push(`${name}: ${String(error)}`);
    }
  }
  return report;
}

async function underWork(drill: LoopDrill, { where, prepare }: Work, idle: Lateness): Promise<UnderWork> {
  const { lane, share } = drill;
  // What is loaded with the first of its kind is loaded once in the life of a process.
  await (
    await prepare({ ...drill, share: share / 100 })
  )();
  const go = await prepare(drill);
  await lane.loopOf(where);
  const began = performance.now();
  const { amount, answeredBetween } = await whileAsked(lane, go);
  const seconds = (performance.now() - began) / 1_000;
  const late = await lane.loopOf(where);
  if (amount === 0) throw new Error('nothing was done');
  return rounded({
    ...{ p99: late.p99Ms / idle.p99Ms, most: late.mostMs / idle.mostMs, longestTurnMs: late.longestTurnMs },
    ...{ seconds, answeredBetween },
  });
}

const rounded = <Figures extends object>(figures: Figures): Figures =>
  JSON.parse(JSON.stringify(figures, (_, value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value)));

/** Somebody asks whether the API lives, again and again, until the work is done. */
async function whileAsked(lane: Lane, go: () => Promise<number>) {
  let isDone = false;
  let answeredBetween = 0;
  const work = go().finally(() => (isDone = true));
  while (!isDone) {
    await fetch(`${lane.url}/health/live`);
    if (!isDone) answeredBetween++;
  }
  return { amount: await work, answeredBetween };
}
