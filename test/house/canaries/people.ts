import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { createAdminUser } from '../../../db/platform/access/create-admin-user.ts';
import { grantLicense } from '../../../db/terminals/licenses.ts';
import { secretPaths } from '../../../domain/configuration/setting-defaults.ts';
import { everyResource } from '../../../domain/platform/access.ts';
import type { TestApi } from '../../support/api.ts';
import { secretBox } from '../../support/builders/counter.ts';
import type { Canaries } from './canaries.ts';
import type { Teller } from './teller.ts';

export interface Place {
  api: TestApi;
  canaries: Canaries;
  teller: Teller;
  locationId: number;
}

/** As the rules for passwords want one. */
const aPassword = (canaries: Canaries, kind: string) => canaries.hatch(kind, 'Canary-1-');

/** A till gets its keys, its license and its device; answers its id. */
export async function aTill({ api, canaries, teller: { call, post }, locationId }: Place): Promise<number> {
  const em = () => api.orm.em.fork();
  for (const path of secretPaths)
    await setConfigValue(em(), secretBox, { path, value: canaries.hatch(`setting ${path}`) });
  const terminal = await post('/V1/pos/terminals', { terminal: { name: 'Till', locationId } });
  const terminalId: number = terminal.terminal_id;
  const activationCode = canaries.plant('activation code', terminal.activation_code);
  await grantLicense(em(), secretBox, { terminalId, type: 'pro', licenseKey: canaries.hatch('license key') });
  await em().execute(`update pos_license set fiscal_tss_id = 'tss-1', sealed_fiscal_api_key = ?`, [
    secretBox.seal(canaries.hatch('fiscal key'), 'fiscal api key'),
  ]);
  const device = { deviceIdentifier: 'ipad-7' };
  await post('/V1/pos/terminals/activate', { ...device, activationCode: 'WRONG123' });
  await post('/V1/pos/terminals/activate', { ...device, activationCode });
  await post('/V1/pos/terminals/activate', { ...device, activationCode });
  const setup = JSON.parse((await call('GET', `/V1/pos/terminals/${terminalId}/config`)).body);
  canaries.plant('license token', setup.terminal.license_token);
  await call('GET', '/V1/pos/config');
  await post(`/V1/pos/terminals/${terminalId}/heartbeat`, device);
  await post(`/V1/pos/terminals/${terminalId}/license/refresh`, device);
  return terminalId;
}

/** A cashier is hired, and signs in rightly and wrongly. */
export async function aCashier({ canaries, teller: { call, post } }: Place): Promise<void> {
  const role = await post('/V1/pos/roles', { role: { name: 'Cashier', permissions: '{}' } });
  const passcode = canaries.hatch('passcode');
  const staff = { first_name: 'Ada', last_name: 'L', email: 'ada@shop.test', passcode, role_id: role.role_id };
  const { staff_id: staffId } = await post('/V1/pos/staff', { staff });
  await call('PUT', `/V1/pos/staff/${staffId}`, { staff: { passcode: canaries.hatch('passcode') } });
  await call('PUT', `/V1/pos/staff/${staffId}`, { staff: { passcode } });
  await post('/V1/pos/staff', { staff: { ...staff, role_id: 999_999 } });
  const session = await post('/V1/pos/staff/authenticate', { email: staff.email, passcode });
  await post('/V1/pos/staff/authenticate', { email: staff.email, passcode: canaries.hatch('wrong passcode') });
  await post('/V1/pos/staff/session/validate', { token: canaries.plant('session token', session.token) });
  await post('/V1/pos/staff/session/validate', { token: canaries.hatch('wrong session token', 'a'.repeat(46)) });
}

/** An administrator signs in, rightly and wrongly. */
export async function anAdministrator({ api, canaries, teller: { call, post } }: Place): Promise<void> {
  const password = aPassword(canaries, 'admin password');
  await createAdminUser(api.orm.em.fork(), {
    username: 'boss',
    passwordHash: await api.providers.passwords.hash(password),
    firstName: 'B',
    lastName: 'O',
    email: 'boss@shop.test',
    resources: [everyResource],
  });
  const wrong = aPassword(canaries, 'wrong password');
  canaries.plant('admin token', await post('/V1/integration/admin/token', { username: 'boss', password }, ''));
  await post('/V1/integration/admin/token', { username: 'boss', password: wrong }, '');
  await call('GET', '/V1/orders/999999', undefined, canaries.hatch('token nobody knows'));
}

/** A customer opens an account, with a cart and a wallet; answers the id. */
export async function aBuyer({ canaries, teller: { call, post } }: Place): Promise<number> {
  const password = aPassword(canaries, 'customer password');
  const customer = { email: 'cust@shop.test', firstname: 'C', lastname: 'U', websiteId: 1 };
  const { id } = await post('/V1/customers', { customer, password });
  await post('/V1/customers', { customer, password });
  const token = await post('/V1/integration/customer/token', { username: customer.email, password }, '');
  await post('/V1/carts/mine', undefined, canaries.plant('customer token', token));
  await call('GET', '/V1/carts/mine/totals', undefined, token);
  await post('/V1/vendor-store-credit/credit', { customerId: id, websiteId: 1, amount: 50, reason: 'goodwill' });
  return id;
}
