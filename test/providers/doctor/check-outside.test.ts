import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { checkOutside } from '../../../providers/doctor/check-outside.ts';
import { checkProviders } from '../../../providers/doctor/check-providers.ts';
import { checkTemporal } from '../../../providers/doctor/check-temporal.ts';
import { freePort } from '../../../local/free-port.ts';
import { parseSettings } from '../../../providers/settings.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { commandContextOf } from '../../cli/support.ts';

let orm: MikroORM;
let service: http.Server;
let there: string;
let away: string;
beforeAll(async () => {
  orm = await testDatabase();
  service = http.createServer((_, response) => void response.writeHead(404).end());
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  there = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  away = `http://127.0.0.1:${await freePort()}`;
});
afterAll(async () => {
  service.close();
  await orm.close();
});

const { configure } = booksOf(() => orm);

const around = (environment: Record<string, string>) => commandContextOf(orm, { settings: parseSettings(environment) });

test('doctor asks the service that keeps credit, where there is one', async () => {
  const said = async (environment: Record<string, string>) =>
    (await checkOutside(around(environment))).filter(({ name }) => name === 'credits');

  expect(await said({})).toEqual([]);
  expect(await said({ CREDIT_SERVICE_URL: there })).toMatchObject([{ state: 'ok', says: `service at ${there}` }]);
  expect(await said({ CREDIT_SERVICE_URL: away })).toMatchObject([
    { state: 'broken', fix: 'start it, or correct CREDIT_SERVICE_URL' },
  ]);
});

test('a license service that is away stops no register that is licensed', async () => {
  expect(await checkOutside(around({ LICENSE_SERVICE_URL: away }))).toContainEqual(
    expect.objectContaining({
      name: 'license',
      state: 'warning',
      says: expect.stringMatching(/licensed registers still work$/),
    }),
  );
});

test('a service of insights that is away leaves profiles without its sections, and no more', async () => {
  const said = async (url: string) =>
    (await checkOutside(around({ INSIGHTS_SERVICE_URL: url }))).filter(({ name }) => name === 'insights');

  expect(await said(there)).toMatchObject([{ state: 'ok', says: `service at ${there}` }]);
  expect(await said(away)).toMatchObject([
    { state: 'warning', says: expect.stringMatching(/without its sections$/), fix: expect.stringMatching(/INSIGHTS_/) },
  ]);
});

test('doctor asks the returns department a store works with, before it says that all is well', async () => {
  await configure('vendor_pos_terminal/returns/providers', 'warehouse');
  const said = async (url: string) =>
    (await checkProviders(around({ RETURNS_SERVICE_URL: url }))).filter(({ name }) => name === 'returns');

  expect(await said(there)).toMatchObject([{ state: 'ok', says: `department at ${there}` }]);
  expect(await said(away)).toMatchObject([{ state: 'broken', fix: 'start it, or correct RETURNS_SERVICE_URL' }]);
});

test('a TLS file that cannot be read is told by its own name, not as a server that is away', async () => {
  const lines = await checkTemporal(around({ TEMPORAL_ADDRESS: '127.0.0.1:9', TEMPORAL_TLS_CA: '/nowhere/ca.crt' }));

  expect(lines).toMatchObject([
    { state: 'broken', says: expect.stringMatching(/^TEMPORAL_TLS_CA names a file that cannot be read/) },
  ]);
  expect(lines[0]?.fix).not.toContain('TEMPORAL_ADDRESS');
});
