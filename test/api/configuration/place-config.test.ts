import { beforeAll, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { renderPlace, renderResolved } from '../../../api/configuration/get-terminal-config.ts';
import { withStoreAddress } from '../../../domain/locations.ts';
import { capabilitiesOf } from '../../../api/wire/register/capabilities.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { locations } from '../../../db/locations/locations.ts';
import { assignStaff } from '../../../db/staff/assign-staff.ts';
import { roles } from '../../../db/staff/roles.ts';
import { updateStaff } from '../../../db/staff/staff.ts';
import { grantLicense } from '../../../db/terminals/licenses.ts';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { shopSettings } from '../../../domain/configuration/setting-defaults.ts';
import { aStaffMember, aTerminal, secretBox, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { useApi } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';

const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
let terminalId: number;
let locationId: number;
let member: Awaited<ReturnType<typeof aStaffMember>>;
let stranger: Awaited<ReturnType<typeof aStaffMember>>;

beforeAll(async () => {
  ({ locationId } = await aShop(fork()));
  ({ terminalId } = await aTerminal(fork(), { locationId }));
  member = await aStaffMember(fork());
  stranger = await aStaffMember(fork(), { allLocations: false });
});

const { fork, rows, change, remove } = booksOf(() => api.orm);
const ask = async (of = terminalId, headers: Record<string, string> = {}): Promise<string> =>
  (await api.call('GET', `/V1/pos/terminals/${of}/config`, { token: api.tokens.register, headers })).body;
const askAnew = (of = terminalId) => ask(of, { 'cache-control': 'no-cache' });

/** What the database was asked beside the terminal itself. */
async function readsOf(work: () => Promise<unknown>): Promise<number> {
  const connection = api.orm.em.getConnection();
  const execute = connection.execute.bind(connection);
  let count = 0;
  connection.execute = (...given: Parameters<typeof execute>) => {
    count++;
    return execute(...given);
  };
  await work();
  connection.execute = execute;
  return count;
}

test('nothing is read again while nothing changed, and every register of the place has the use of it', async () => {
  const neighbour = await aTerminal(fork(), { locationId, configOverrides: { receipt_header: 'Till 2' } });
  const first = await ask();
  expect(await readsOf(() => ask())).toBe(0);
  expect(await ask()).toBe(first);

  let second = '';
  expect(await readsOf(async () => (second = await ask(neighbour.terminalId)))).toBe(0);
  expect(JSON.parse(second)).toMatchObject({
    terminal: { terminal_id: neighbour.terminalId },
    resolved_config: { receipt_header: 'Till 2' },
  });
  expect(second).toBe(await askAnew(neighbour.terminalId));
});

test('registers that ask at the same moment after a change read the place once', async () => {
  await ask();
  await change('pos_location', { location_id: locationId }, { phone: '777' });
  let answers: string[] = [];
  const reads = await readsOf(async () => (answers = await eightAtOnce(() => ask())));
  expect(new Set(answers).size).toBe(1);
  expect(reads).toBeLessThanOrEqual(4);
});

const header = 'vendor_pos_terminal/receipt/header';
const changes: [string, (em: EntityManager) => Promise<unknown>][] = [
  ['a setting', (em) => setConfigValue(em, secretBox, { path: header, value: 'Hello' })],
  [
    'a setting of the website',
    (em) => setConfigValue(em, secretBox, { path: header, value: 'Hi', scope: 'websites', scopeId: 1 }),
  ],
  [
    'a provider key',
    (em) => setConfigValue(em, secretBox, { path: 'vendor_pos_terminal/provider_b/api_token', value: 'fresh' }),
  ],
  ['the location', () => change('pos_location', { location_id: locationId }, { phone: '555' })],
  ['somebody’s name', (em) => updateStaff(em, { staffId: member.staffId, wish: { firstName: 'Grace' } })],
  ['a role', (em) => roles.save(em, { id: member.roleId, draft: { permissions: '{"void_orders":true}' } })],
  [
    'an assignment',
    (em) => assignStaff(em, { staffId: stranger.staffId, locationId, by: { changeSource: 'admin', staffName: 'ada' } }),
  ],
  ['the terminal’s own settings', (em) => saveTerminal(em, terminalId, { configOverrides: { receipt_header: 'Me' } })],
  ['the license', (em) => grantLicense(em, secretBox, { terminalId, type: 'free' })],
  ['the last sign of life', () => change('pos_terminal_heartbeat', {}, { last_seen_at: '2026-01-01' })],
  ['the store view', () => change('pos_location', { location_id: locationId }, { store_view_id: 2 })],
  ['the location’s end', () => remove('pos_location', { location_id: locationId })],
];

test.each(changes)('another process changed %s: the next answer has it', async (_what, change) => {
  const before = await ask();
  await change(fork());
  const after = await ask();
  expect(after).not.toBe(before);
  expect(after).toBe(await askAnew());
});

/** Stored settings of one value, which remember what was asked of them. */
class AskedSettings extends Map<string, string> {
  readonly asked = new Set<string>();
  readonly #value: string;
  constructor(value: string) {
    super();
    this.#value = value;
  }
  override get(path: string): string {
    this.asked.add(path);
    return this.#value;
  }
}

test.each(['1', '0'])(
  'each setting that a configuration is made of counts as one that registers see (all %s)',
  async (value) => {
    const stored = new AskedSettings(value);
    const shop = shopSettings(stored);
    const capabilities = capabilitiesOf(api.providers);
    const wish = { name: 'Airport', code: `airport-${value}`, addressUseStoreview: true };
    const location = withStoreAddress(await locations.save(fork(), { draft: wish }), shop);
    renderPlace({ shop, location, capabilities, fixedTaxes: [], staff: [], roles: [] });
    renderResolved({ shop, location, capabilities, overrides: {} });
    expect(stored.asked.size).toBeGreaterThan(100);

    const unseen = await rows<{ path: string }>(
      'select path from unnest(?::text[]) as path where not pos_setting_is_seen(path)',
      `{${[...stored.asked].join(',')}}`,
    );
    expect(unseen).toEqual([]);
  },
);
