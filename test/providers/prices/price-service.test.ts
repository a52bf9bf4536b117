import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { money } from '../../../domain/money.ts';
import { freePort } from '../../../local/free-port.ts';
import type { PriceQuestion } from '../../../providers/prices.ts';
import { createPriceService } from '../../../providers/prices/prices.ts';

let answer: (body: { skus: string[] }) => { status?: number; text: string } | undefined;
let asked: { headers: Record<string, unknown>; url: string | undefined; body: unknown }[];
let server: Server;
let baseUrl: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const body: { skus: string[] } = JSON.parse(text);
      asked.push({ headers: request.headers, url: request.url, body });
      const said = answer(body);
      if (!said) return;
      response.writeHead(said.status ?? 200, { 'content-type': 'application/json' }).end(said.text);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const says = (more: object = {}) => ({
  text: JSON.stringify({
    customer_id: 7,
    currency: 'USD',
    prices: [
      {
        sku: 'MUG',
        steps: [
          { qty: '1', price: '45.00' },
          { qty: '12', price: '39.50' },
        ],
      },
    ],
    ...more,
  }),
});
const question = (more: Partial<PriceQuestion> = {}): PriceQuestion => ({
  customerId: 7,
  groupId: 1,
  websiteId: 1,
  currencyCode: 'USD',
  products: ['MUG', 'PLATE'].map((sku) => ({ sku, price: money('50'), tiers: [] })),
  deadline: new Date(Date.now() + 5_000),
  ...more,
});
const resolve = (more?: Partial<PriceQuestion>, url = baseUrl) =>
  createPriceService({ baseUrl: url, apiKey: 'key' }).resolve(question(more));

test('a service whose address has a path is asked below it', async () => {
  answer = () => says();
  await resolve({}, `${baseUrl}/of/shops/`);
  expect(asked.map(({ url }) => url)).toEqual(['/of/shops/v1/prices']);
});

test('all SKUs are asked at once, and a SKU without an answer has no price of its own', async () => {
  answer = () => says();
  const prices = await resolve();
  expect([...prices]).toEqual([['MUG', { price: money('45'), tiers: [{ qty: 120_000, price: money('39.5') }] }]]);
  expect(asked).toMatchObject([
    {
      url: '/v1/prices',
      headers: { authorization: 'Bearer key' },
      body: { customer_id: 7, website_id: 1, currency: 'USD', skus: ['MUG', 'PLATE'] },
    },
  ]);
});

test('no price at all is an answer', async () => {
  answer = () => says({ prices: [] });
  expect([...(await resolve())]).toEqual([]);
});

const mug = (step: object) => ({ prices: [{ sku: 'MUG', steps: [step] }] });
describe('nothing is known when it', () => {
  test.each<[string, ReturnType<typeof answer>]>([
    ['answers for another customer', says({ customer_id: 8 })],
    ['answers in another currency', says({ currency: 'EUR' })],
    ['answers a product nobody asked for', says({ prices: [{ sku: 'TAXI', steps: [{ qty: '1', price: '1' }] }] })],
    ['answers a price below zero', says(mug({ qty: '1', price: '-1' }))],
    ['answers a price that is a number', says(mug({ qty: '1', price: 45 }))],
    ['answers a price beyond counting', says(mug({ qty: '1', price: '99999999999999' }))],
    ['answers a quantity of nothing', says(mug({ qty: '0', price: '1' }))],
    ['answers a product without a price', says({ prices: [{ sku: 'MUG', steps: [] }] })],
    ['answers an error', { status: 500, text: '{}' }],
    ['answers no JSON', { text: '<html>' }],
    ['answers without an end', { text: `{"pad":"${'x'.repeat(100_000)}"}` }],
  ])('%s', async (_, said) => {
    answer = () => said;
    await expect(resolve()).rejects.toThrow('The price service');
  });

  test('does not answer in time, or cannot be reached', async () => {
    answer = () => undefined;
    await expect(resolve({ deadline: new Date(Date.now() + 200) })).rejects.toThrow('did not answer in time');
    await expect(resolve({}, `http://127.0.0.1:${await freePort()}`)).rejects.toThrow('could not be reached');
  });
});
