import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { measureFigures } from '../../providers/observe/figures.ts';
import { booksOf } from '../support/books.ts';
import { secretKey } from '../support/builders/counter.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { anApiProcess, aWorkerProcess, type OwnProcess } from '../support/own-process.ts';
import { aRegister } from '../support/register.ts';
import { waitUntil } from '../support/wait-until.ts';

interface Rule {
  alert: string;
  expr: string;
  annotations: Record<string, string>;
}

const read = (file: string) => readFileSync(file, 'utf8');
const rules = (parse(read('deploy/observe/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const panels = (JSON.parse(read('deploy/observe/dashboard.json')) as { panels: { targets?: { expr: string }[] }[] })
  .panels;

/** The names of metrics in an expression of Prometheus, without labels, words and functions. */
const metricsIn = (expression: string) => expression.match(/\b(?:(?:pos|nodejs|process|temporal)_\w+|up)\b/g) ?? [];

describe('a shop with a refund in doubt, scraped as Prometheus does', () => {
  let flow: Flow;
  let worker: OwnProcess;
  let api: OwnProcess & { url: string };
  let scraped: { api: string; worker: string };
  const portOf = (process: OwnProcess) => /"metricsPort":(\d+)/.exec(process.log())?.[1] ?? '';
  const at = (process: OwnProcess, path: string) => `http://127.0.0.1:${portOf(process)}${path}`;
  const scrape = async (process: OwnProcess) => (await fetch(at(process, '/metrics'))).text();

  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const sent = { authorization: `Bearer ${flow.api.tokens.admin}`, 'content-type': 'application/json', ...headers };
    const asked = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status } = await fetch(`${api.url}/rest${path}`, { method, headers: sent, ...asked });
    return status;
  };

  beforeAll(async () => {
    flow = await aFlow({ startsWorker: false, settings: { POS_SECRET_KEY: secretKey } });
    const env = { POS_SECRET_KEY: secretKey, METRICS_PORT: '0', API_METRICS_PORT: '0' };
    [worker, api] = await Promise.all([aWorkerProcess(flow, { env }), anApiProcess(flow, { env })]);
    const sale = await aRegister(flow).sale('12.73');
    const items = JSON.stringify([{ order_item_id: sale.itemId, qty_requested: 1, resolution: 'Refund' }]);
    const body = { orderId: sale.orderId, items, autoApprove: true, locationId: flow.shop.locationId };
    const wanted = { ...body, fastTrack: true, refundMethod: 'original_payment' };
    expect([200, 409]).toContain(await call('POST', '/V1/pos/rma', wanted, { 'idempotency-key': 'one-return' }));
    expect(await call('POST', '/V1/pos/rma', { ...wanted, comment: 'x' }, { 'idempotency-key': 'one-return' })).toBe(
      422,
    );
    expect(await call('GET', `/V1/orders/${sale.orderId}`, undefined, { authorization: 'Bearer nobodys' })).toBe(401);
    expect(await call('GET', '/V1/no-such-route/7')).toBe(404);
    const wrong = { username: 'nobody', password: 'Wrong-1234' };
    expect(await call('POST', '/V1/integration/admin/token', wrong)).toBe(401);
    await booksOf(() => flow.api.orm).insert('books_check', {
      ...{ checked_by: 'a night', rules: 140, findings: JSON.stringify([{ id: 'I-04', sentence: 'x', rows: 3 }]) },
    });
    await flow.api.orm.em.fork().execute(`select setval('sales_coupon_coupon_id_seq', ${2 ** 52 + 2 ** 51})`);
    scraped = { api: await scrape(api), worker: await scrape(worker) };
  });
  afterAll(async () => {
    await Promise.all([worker?.kill(), api?.kill()]);
    await flow?.close();
  });

  const exposed = () =>
    new Set([...`${scraped.api}\n${scraped.worker}`.matchAll(/^(\w+)(?=[ {])/gm)].map(([, name]) => name));
  const figure = (text: string, series: string) => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  };

  test('the refund in doubt, the broken rule of the books and the open returns are told', async () => {
    expect(figure(scraped.worker, 'pos_refunds_uncertain{currency="USD"}')).toBe(1);
    expect(figure(scraped.worker, 'pos_refunds_uncertain_amount{currency="USD"}')).toBe(12.73);
    expect(figure(scraped.worker, 'pos_refunds_uncertain_oldest_seconds{currency="USD"}')).toBeGreaterThan(0);
    expect(figure(scraped.worker, 'pos_returns_open{status="awaiting_refund"}')).toBe(1);
    expect(figure(scraped.worker, 'pos_books_findings')).toBe(1);
    expect(figure(scraped.worker, 'pos_books_finding_rows{rule="I-04"}')).toBe(3);
    expect(figure(scraped.worker, 'pos_mails_waiting')).toBe(0);
    expect(figure(scraped.worker, 'pos_figures_read_success')).toBe(1);
  });

  test('the five fullest sequences are reported, with the used share of their ids', () => {
    expect(scraped.worker.match(/^pos_sequence_used_ratio\{/gm)).toHaveLength(5);
    expect(figure(scraped.worker, 'pos_sequence_used_ratio{sequence="sales_coupon_coupon_id_seq"}')).toBeCloseTo(0.75);
  });

  test('however many scrape, the figures are read every fifteen seconds at most, and a failed read says so once', async () => {
    const registry = new Registry();
    const warned: string[] = [];
    const log = { warn: (_facts: object, message: string) => void warned.push(message) };
    const says = { reads: 0, seconds: 0, isAway: false };
    const em = () => {
      says.reads++;
      if (says.isAway) throw new Error('away');
      return flow.api.orm.em.fork();
    };
    const freshen = measureFigures({ registry, em, log: log as never, clock: () => says.seconds * 1_000 });
    expect(await registry.metrics()).not.toMatch(/^pos_/m);
    await Promise.all(Array.from({ length: 5 }, freshen));
    for (says.seconds of [1, 14]) await freshen();
    expect(says.reads).toBe(1);
    says.isAway = true;
    for (says.seconds of [15, 30, 45]) await freshen();
    expect([says.reads, warned]).toEqual([4, ['the figures of the shop cannot be read']]);
    expect(await registry.metrics()).toMatch(/^pos_figures_read_success 0$/m);
    says.isAway = false;
    says.seconds = 60;
    await freshen();
    expect(await registry.metrics()).toMatch(/^pos_figures_read_success 1$/m);
  });

  test('requests are counted by the pattern of their route, and refusals by their kind', () => {
    const { api: text } = scraped;
    expect(figure(text, 'pos_http_requests_total{method="GET",route="/V1/orders/:id",status="401"}')).toBe(1);
    expect(figure(text, 'pos_http_requests_total{method="GET",route="none",status="404"}')).toBe(1);
    expect(figure(text, 'pos_http_request_duration_seconds_count{method="POST",route="/V1/pos/rma"}')).toBe(2);
    expect(figure(text, 'pos_idempotency_conflicts_total{outcome="idempotency_key_reused"}')).toBe(1);
    expect(figure(text, 'pos_sign_in_refusals_total{by="token"}')).toBe(1);
    expect(figure(text, 'pos_sign_in_refusals_total{by="password"}')).toBe(1);
    expect(figure(text, 'pos_database_pool_size{pool="api"}')).toBe(10);
    expect(figure(text, 'pos_database_statements_total{pool="api"}')).toBeGreaterThan(5);
    expect(text).toMatch(/^pos_workflow_update_duration_seconds_count\{update="\w+",outcome="\w+"\} 1$/m);
    expect(text).not.toContain('no-such-route');
  });

  test('every metric has a name by the rules of Prometheus, and stands on the page about them', () => {
    const page = read('docs/deploy/observe.md');
    const ours = [...`${scraped.api}\n${scraped.worker}`.matchAll(/^# TYPE (pos_\w+) (\w+)$/gm)];
    expect(ours.length).toBeGreaterThan(30);
    for (const [, name = '', type] of ours) {
      expect([name, page.includes(`| \`${name}\` `)]).toEqual([name, true]);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      expect(name).not.toMatch(/_(?:ms|millis|minutes|hours|percent)\b/);
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    }
    const told = [...page.matchAll(/^\| `(pos_\w+)`/gm)].map(([, name]) => name);
    expect(new Set(told)).toEqual(new Set(ours.map(([, name]) => name)));
  });

  test('every metric that the dashboard and the alerts name is there', () => {
    const named = new Set(
      [
        ...rules.map(({ expr }) => expr),
        ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ].flatMap(metricsIn),
    );
    // What Prometheus says of each scrape by itself.
    named.delete('up');
    expect(named.size).toBeGreaterThan(25);
    // No try was limited in this shop, so there is a type of it and no series yet.
    const known = new Set([...exposed(), ...[...scraped.api.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)]);
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });

  test('the worker is ready while it takes work, and says so on its own port; customers reach neither', async () => {
    await waitUntil('it takes work', async () => (await fetch(at(worker, '/health/ready'))).status === 200);
    expect(await (await fetch(at(worker, '/health/ready'))).json()).toMatchObject({
      ...{ status: 'ok', parts: { temporal: { state: 'ok' } } },
    });
    expect((await fetch(at(worker, '/health/live'))).status).toBe(200);
    expect((await fetch(`${api.url}/metrics`)).status).toBe(404);
    expect((await fetch(at(api, '/rest/V1/orders'))).status).toBe(404);
  });

  test('each request is a line of the log, with the name of its token and never the token', async () => {
    const asked = new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${flow.api.tokens.admin}`, 'x-request-id': 'till-7-42' };
      request(`${api.url}/rest/V1/orders?searchCriteria[pageSize]=1&secret=mine`, { headers }, (answer) => {
        answer.resume().on('end', () => resolve());
      })
        .on('error', reject)
        .end();
    });
    await asked;
    await fetch(`${api.url}/health/ready`);
    await waitUntil('it is written', async () => api.log().includes('till-7-42'));
    const lines = api.log().split('\n');
    const line = lines.find((one) => one.includes('till-7-42')) ?? '{}';
    const { ms, bytes, ...rest } = JSON.parse(line) as Record<string, unknown>;
    expect(rest).toEqual({
      ...{ level: 30, time: expect.any(String), name: 'api', requestId: 'till-7-42', msg: 'answered' },
      ...{ method: 'GET', route: '/V1/orders', status: 200, caller: expect.stringMatching(/^\S+/) },
    });
    expect([typeof ms, Number(bytes) > 10]).toEqual(['number', true]);
    expect(api.log()).not.toContain(flow.api.tokens.admin);
    expect(api.log()).not.toContain('secret=mine');
    expect(lines.filter((one) => one.includes('"route":"/health"'))).toEqual([]);
  });
});

test('LOG_REQUESTS=0 writes no line for a request', async () => {
  const flow = await aFlow({ startsWorker: false });
  const api = await anApiProcess(flow, { env: { LOG_REQUESTS: '0' } });
  expect((await fetch(`${api.url}/rest/V1/nowhere`)).status).toBe(404);
  expect(api.log()).not.toContain('"answered"');
  expect(api.log()).not.toContain('metricsPort');
  await api.kill();
  await flow.close();
});

describe('a card refund that is traced', () => {
  interface Span {
    traceId: string;
    spanId: string;
    parentSpanId?: string;
    name: string;
    service: string;
  }

  const bodyOf = async (incoming: IncomingMessage) => Buffer.concat(await incoming.toArray()).toString();
  const listening = async (server: Server) => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  /** A collector of traces: what it was sent, span by span. */
  async function aCollector() {
    const spans: Span[] = [];
    const hear = async (incoming: IncomingMessage, answer: ServerResponse) => {
      const { resourceSpans } = JSON.parse(await bodyOf(incoming)) as {
        resourceSpans: {
          resource: { attributes: { key: string; value: { stringValue?: string } }[] };
          scopeSpans: { spans: Span[] }[];
        }[];
      };
      for (const { resource, scopeSpans } of resourceSpans) {
        const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))));
      }
      answer.setHeader('content-type', 'application/json').end('{}');
    };
    const server = createServer((incoming, answer) => void hear(incoming, answer));
    return { server, spans, url: await listening(server) };
  }

  /** Stands before the card processor, and notes the trace that each call says it belongs to. */
  async function aWayTo(gateway: string) {
    const traces: (string | undefined)[] = [];
    const pass = async (incoming: IncomingMessage, answer: ServerResponse) => {
      traces.push(incoming.headers['traceparent']?.toString());
      const body = await bodyOf(incoming);
      const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
        typeof value === 'string' && !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name)
          ? [[name, value] as [string, string]]
          : [],
      );
      const asked = { method: incoming.method ?? 'GET', headers, ...(body === '' ? {} : { body }) };
      const passed = await fetch(`${gateway}${incoming.url}`, asked);
      answer.writeHead(passed.status, { 'content-type': 'application/json' }).end(await passed.text());
    };
    const server = createServer((incoming, answer) => void pass(incoming, answer));
    return { server, traces, url: await listening(server) };
  }

  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const ofRegister = 'b7ad6b7169203331';

  test('is one trace from the register to the card processor, each step below the one that asked for it', async () => {
    const flow = await aFlow({ startsWorker: false });
    const [collector, way] = [await aCollector(), await aWayTo(flow.gateway.url)];
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, POS_SECRET_KEY: secretKey };
    const [worker, api] = await Promise.all([
      aWorkerProcess(flow, { env: { ...env, GATEWAY_SIMULATOR_URL: way.url } }),
      anApiProcess(flow, { env }),
    ]);
    const sale = await aRegister(flow).sale('12.00');
    const items = JSON.stringify([{ order_item_id: sale.itemId, qty_requested: 1, resolution: 'Refund' }]);
    const wanted = { orderId: sale.orderId, items, autoApprove: true, locationId: flow.shop.locationId };
    const answer = await fetch(`${api.url}/rest/V1/pos/rma`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${flow.api.tokens.register}`,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-${ofRegister}-01`,
      },
      body: JSON.stringify({ ...wanted, fastTrack: true, refundMethod: 'original_payment' }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'closed' }]);

    const named = (name: string) => collector.spans.find((span) => span.traceId === traceId && span.name === name);
    await waitUntil('every span has arrived', async () =>
      ['POST /V1/pos/rma', 'refundThroughGateway', 'gateway POST'].every((name) => named(name) !== undefined),
    );
    const call = named('gateway POST')!;
    const above = (span: Span | undefined): string[] => {
      if (span === undefined) return [];
      const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
      return [`${span.service}: ${span.name}`, ...(parent === undefined ? [span.parentSpanId ?? ''] : above(parent))];
    };
    expect(above(call)).toEqual([
      'pos-worker: gateway POST',
      'pos-worker: refundThroughGateway',
      expect.stringMatching(/^pos-api: ask /),
      'pos-api: POST /V1/pos/rma',
      ofRegister,
    ]);
    expect(way.traces).toEqual([`00-${traceId}-${call.spanId}-01`]);

    await Promise.all([worker.kill(), api.kill()]);
    for (const { server } of [collector, way]) server.close().closeAllConnections();
    await flow.close();
  });

  test('a register that decided against its trace is not traced', async () => {
    const flow = await aFlow({ startsWorker: false });
    const collector = await aCollector();
    const api = await anApiProcess(flow, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    const ask = (path: string, flags: string) =>
      fetch(`${api.url}/rest/V1/${path}`, { headers: { traceparent: `00-${traceId}-${ofRegister}-${flags}` } });
    await ask('nowhere/unseen', '00');
    await ask('nowhere/seen', '01');
    await waitUntil('the other one has arrived', async () => collector.spans.length > 0);
    expect(collector.spans.map(({ name }) => name)).toEqual(['GET none']);
    await api.kill();
    collector.server.close().closeAllConnections();
    await flow.close();
  });
});

describe('the alerts', () => {
  const page = read('docs/operators/alerts.md');

  test('each has its heading on the page that its link leads to, in the order of the rules', () => {
    const headings = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules)
      expect(annotations['runbook_url']).toBe(`docs/operators/alerts.md#${alert.toLowerCase()}`);
  });

  test('each says what to do', () => {
    for (const section of page.split(/^## /m).slice(1)) expect(section).toMatch(/^- Do\b/m);
  });

  test('those that money hangs on are played by promtool', () => {
    const { tests } = parse(read('deploy/observe/alerts.test.yaml')) as {
      tests: { alert_rule_test: { alertname: string }[] }[];
    };
    const played = new Set(tests.flatMap((one) => one.alert_rule_test.map(({ alertname }) => alertname)));
    expect([...played].filter((name) => !rules.some(({ alert }) => alert === name))).toEqual([]);
    for (const name of ['PosWorkerDown', 'PosDatabaseAway', 'PosRefundUncertainForHours', 'PosBooksWrong'])
      expect(played).toContain(name);
  });
});
