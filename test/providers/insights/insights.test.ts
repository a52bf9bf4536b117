import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createInsights, insightsOf, type InsightProvider } from '../../../providers/insights.ts';
import { pageSample } from '../../support/page-sample.ts';

const skipped: unknown[] = [];
const log = { warn: (fields: unknown) => void skipped.push(fields) };
beforeEach(() => {
  skipped.length = 0;
});

const question = (patienceMs = 5_000) => ({ customerId: 7, deadline: new Date(Date.now() + patienceMs) });
const club = { title: 'Club', rows: [{ label: 'Level', value: 'Gold' }] };
const says = (code: string, answer: unknown): InsightProvider => ({
  code,
  sections: async () => answer as Awaited<ReturnType<InsightProvider['sections']>>,
});

test('sections come in the order of the list, each with the name of its provider', async () => {
  const insights = insightsOf([says('b', [club]), says('none', []), says('a', [club, { ...club, title: 'More' }])]);
  expect(await insights.sections(question(), log)).toEqual([
    { ...club, provider: 'b' },
    { ...club, provider: 'a' },
    { ...club, title: 'More', provider: 'a' },
  ]);
  expect(skipped).toEqual([]);
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'Gold'],
  ['a section without rows', [{ title: 'Club' }]],
  ['a value that is no text', [{ title: 'Club', rows: [{ label: 'Level', value: 3 }] }]],
  ['a section without a title', [{ title: '', rows: [] }]],
  ['more sections than a screen has', Array.from({ length: 11 }, () => club)],
  ['more rows than a screen has', [{ title: 'Club', rows: Array.from({ length: 21 }, () => club.rows[0]) }]],
  ['a value longer than a screen', [{ title: 'Club', rows: [{ label: 'Level', value: 'x'.repeat(1_001) }] }]],
])('who answers %s is left out, and the others are not', async (_, answer) => {
  const insights = insightsOf([says('odd', answer), says('club', [club])]);
  expect(await insights.sections(question(), log)).toEqual([{ ...club, provider: 'club' }]);
  expect(skipped).toMatchObject([{ provider: 'odd' }]);
});

test('who throws or never answers is left out when the time is up', async () => {
  const throwing: InsightProvider = {
    code: 'throws',
    sections() {
      throw new Error('no');
    },
  };
  const silent: InsightProvider = { code: 'silent', sections: () => new Promise(() => undefined) };
  const insights = insightsOf([throwing, silent, says('club', [club])]);
  expect(await insights.sections(question(50), log)).toEqual([{ ...club, provider: 'club' }]);
  expect(skipped).toMatchObject([{ provider: 'throws' }, { provider: 'silent' }]);
});

describe('the service outside', () => {
  let said: { status: number; text: string };
  let asked: { url: string | undefined; key: string | undefined; body: unknown }[] = [];
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        asked.push({ url: request.url, key: request.headers.authorization, body: JSON.parse(text) });
        response.writeHead(said.status, { 'content-type': 'application/json' }).end(said.text);
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = () => {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return createInsights({ service: { baseUrl, apiKey: 'key' } }).sections(question(), log);
  };

  test('is asked for one customer, under our key', async () => {
    asked = [];
    said = { status: 200, text: JSON.stringify({ sections: [club] }) };
    expect(await ask()).toEqual([{ ...club, provider: 'service' }]);
    expect(asked).toEqual([{ url: '/customer-insights', key: 'Bearer key', body: { customer_id: 7 } }]);
  });

  test.each([
    ['an error', { status: 500, text: '{}' }],
    ['no JSON', { status: 200, text: 'Gold' }],
    ['no sections', { status: 200, text: '{}' }],
    ['too much', { status: 200, text: JSON.stringify({ sections: [club], more: 'x'.repeat(70_000) }) }],
  ])('that answers %s is left out', async (_, answer) => {
    said = answer;
    expect(await ask()).toEqual([]);
    expect(skipped).toMatchObject([{ provider: 'service' }]);
  });
});

interface Sample {
  createOpenRepairs: (repairsOf: (customerId: number) => Promise<object[]>) => InsightProvider;
}

test('the sample of docs/extend/insight-provider.md does what the page says', async () => {
  const { createOpenRepairs } = await pageSample<Sample>('docs/extend/insight-provider.md');
  const repairs: Record<number, object[]> = { 7: [{ number: 'R-12', state: 'Waits for a shade' }] };
  const insights = insightsOf([createOpenRepairs(async (customerId) => repairs[customerId] ?? [])]);

  expect(await insights.sections(question(), log)).toEqual([
    { provider: 'repairs', title: 'In the workshop', rows: [{ label: 'R-12', value: 'Waits for a shade' }] },
  ]);
  expect(await insights.sections({ ...question(), customerId: 8 }, log)).toEqual([]);
  expect(skipped).toEqual([]);
});
