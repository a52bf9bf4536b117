import { afterAll, beforeAll } from '@jest/globals';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { Location } from '../../../db/locations/location.entity.ts';
import { locations } from '../../../db/locations/locations.ts';
import { changeProductAttribute, createProductAttribute } from '../../../db/platform/catalog/attribute-sets.ts';
import { assignStaff, unassignStaff } from '../../../db/staff/assign-staff.ts';
import { reseal } from '../../../db/sealed-columns.ts';
import { createSecretBox, type KeyRing } from '../../../db/support/secret-box.ts';
import { deleteStaff, updateStaff } from '../../../db/staff/staff.ts';
import { roles } from '../../../db/staff/roles.ts';
import { deleteTerminal } from '../../../db/terminals/delete-terminal.ts';
import { fiscalApiKeyPurpose, grantLicense } from '../../../db/terminals/licenses.ts';
import { recordHeartbeat } from '../../../db/terminals/record-heartbeat.ts';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { aStaffMember, aTerminal, quickHash, secretBox, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

export let orm: MikroORM;
let here: { terminalId: number; deviceIdentifier: string };
let elsewhere: { terminalId: number; deviceIdentifier: string };
let member: { staffId: number; roleId: number };
let locationId: number;
let elsewhereId: number;
const anotherKey = Buffer.alloc(32, 8).toString('base64');
const by = { changeSource: 'admin', staffName: 'ada' } as const;

/** A shop with two locations, and a member of its staff. */
export function opensTwoLocations(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
    const em = fork();
    const warehouse = em.create(Location, { name: 'Warehouse', code: 'warehouse', websiteId: 7 });
    await em.flush();
    elsewhereId = warehouse.locationId;
    here = await aTerminal(fork(), { locationId });
    elsewhere = await aTerminal(fork(), { locationId: warehouse.locationId });
    member = await aStaffMember(fork(), { allLocations: false, locationIds: [locationId] });
  });
  afterAll(() => orm.close());
}

const { fork, change, remove } = booksOf(() => orm);
const versions = async () => [
  (await recordHeartbeat(fork(), here)).versions,
  (await recordHeartbeat(fork(), elsewhere)).versions,
];
export const set = (path: string, value: string | null, scope?: 'websites' | 'stores', scopeId?: number) =>
  setConfigValue(fork(), secretBox, { path, value, ...(scope ? { scope, scopeId: scopeId ?? 0 } : {}) });
export const changed = async (change: (em: EntityManager) => Promise<unknown>) => {
  const before = await versions();
  const em = fork();
  await change(em);
  await em.flush();
  const after = await versions();
  return after.map((version, at) => version !== before[at]);
};

async function resealed(box: KeyRing): Promise<void> {
  const { renewed } = await reseal(fork(), box, () => undefined);
  for (const column of ['config_value.value', 'pos_license.sealed_token', 'pos_license.sealed_fiscal_api_key'])
    if (!renewed[column]) throw new Error(`nothing of ${column} was sealed anew`);
}

const ecoFee = { attributeCode: 'eco_fee', frontendInput: 'weee', label: 'Eco fee', settings: {} };
const size = { attributeCode: 'size', frontendInput: 'text' };
const footer = 'vendor_pos_terminal/receipt/footer';
export const seen: [string, (em: EntityManager) => Promise<unknown>, boolean[]][] = [
  ['a setting of the shop', () => set(footer, 'Thank you'), [true, true]],
  ['the same value again', () => set(footer, 'Thank you'), [false, false]],
  ['a setting of this website', () => set(footer, 'Merci', 'websites', 1), [true, false]],
  ['a setting of a store view here', () => set(footer, 'Danke', 'stores', 2), [true, false]],
  ['a provider key', () => set('vendor_pos_terminal/provider_a/api_key', 'k-1'), [true, true]],
  ['the same provider key', () => set('vendor_pos_terminal/provider_a/api_key', 'k-1'), [false, false]],
  ['a setting taken away', () => set(footer, null, 'websites', 1), [true, false]],
  ['a setting no register gets', () => set('vendor_pos_terminal/customers/validators', 'vat'), [false, false]],
  ['how old customers have to be', () => set('vendor_pos_advanced/customers/minimum_age', '18'), [false, false]],
  ['a platform setting no register gets', () => set('currency/options/base', 'USD'), [false, false]],
  ['how long telemetry is kept', () => set('vendor_pos_advanced/telemetry/retention_days', '30'), [false, false]],
  ['who keeps store credit', () => set('vendor_store_credit/general/enabled', '0', 'websites', 1), [true, false]],
  [
    'whether refunds go to store credit',
    () => set('vendor_store_credit/general/refunds_by_default', '1'),
    [true, true],
  ],
  ['whether there are gift cards', () => set('vendor_gift_card/general/enabled', '0'), [true, true]],
  ['whether there are points', () => set('vendor_reward_points/general/enabled', '1', 'stores', 2), [true, false]],
  ['how long goods may come back', () => set('vendor_pos_advanced/returns/period_days', '14'), [true, true]],
  ['what points are worth', () => set('vendor_reward_points/spending/currency_per_point', '0.02'), [false, false]],
  ['a fixed tax of goods', () => createProductAttribute(fork(), ecoFee), [true, true]],
  ['its name', () => changeProductAttribute(fork(), 'eco_fee', { label: 'Eco', settings: {} }), [true, true]],
  [
    'the same name again',
    () => changeProductAttribute(fork(), 'eco_fee', { label: 'Eco', settings: {} }),
    [false, false],
  ],
  ['another attribute of goods', () => createProductAttribute(fork(), { ...ecoFee, ...size }), [false, false]],
  ['the end of a fixed tax', () => remove('product_attribute', { attribute_code: 'eco_fee' }), [true, true]],
  ['which store view comes first', () => change('store_view', { store_id: 2 }, { sort_order: 9 }), [true, true]],
  ['the name of a store view', () => change('store_view', {}, { name: 'Toronto' }), [false, false]],
  ['a tax setting', () => set('tax/display/type', '2'), [true, true]],
  ['the location', () => change('pos_location', { location_id: locationId }, { phone: '555' }), [true, false]],
  ['the terminal', () => saveTerminal(fork(), here.terminalId, { name: 'Till by the door' }), [true, false]],
  [
    'the terminal saved as it was',
    () => saveTerminal(fork(), here.terminalId, { name: 'Till by the door', isActive: true }, by),
    [false, false],
  ],
  [
    'a code for another device, which registers are never told',
    () => change('pos_terminal', { terminal_id: here.terminalId }, { activation_code: 'NEWCODE1' }),
    [false, false],
  ],
  ['one more terminal', () => aTerminal(fork(), { locationId, license: 'none' }), [false, false]],
  [
    'the removal of another terminal',
    async () => deleteTerminal(fork(), { terminalId: (await aTerminal(fork(), { locationId })).terminalId, by }),
    [false, false],
  ],
  [
    'one more location',
    () => locations.save(fork(), { draft: { name: 'Airport', code: 'airport' }, by }),
    [false, false],
  ],
  [
    'a field of the location',
    () => locations.save(fork(), { id: locationId, draft: { receiptHeader: 'Hi' }, by }),
    [true, false],
  ],
  [
    'who validates customers at the location, which registers are never told',
    () => locations.save(fork(), { id: locationId, draft: { customerValidators: 'vat' }, by }),
    [false, false],
  ],
  [
    'a field of the location that inherits again',
    () => locations.save(fork(), { id: locationId, draft: { receiptHeader: null }, by }),
    [true, false],
  ],
  [
    'the location saved as it was',
    () => locations.save(fork(), { id: locationId, draft: { receiptHeader: null, name: 'High Street' }, by }),
    [false, false],
  ],
  [
    'the removal of another location',
    async () =>
      locations.remove(
        fork(),
        (await locations.save(fork(), { draft: { name: 'Kiosk', code: 'kiosk' } })).location_id,
        by,
      ),
    [false, false],
  ],
  [
    'another key of the fiscal service',
    () => change('pos_license', {}, { sealed_fiscal_api_key: secretBox.seal('fiscal', fiscalApiKeyPurpose) }),
    [true, true],
  ],
  [
    'every secret of the shop, sealed with another key and back',
    async () => {
      await resealed(createSecretBox(anotherKey, [secretKey]));
      await resealed(createSecretBox(secretKey, [anotherKey]));
    },
    [false, false],
  ],
  ['its license', () => grantLicense(fork(), secretBox, { terminalId: here.terminalId, type: 'free' }), [true, false]],
  [
    'when its license was last checked',
    () => change('pos_license', {}, { last_upstream_check_at: new Date() }),
    [false, false],
  ],
  [
    'somebody who works here',
    () => change('pos_staff', { staff_id: member.staffId }, { first_name: 'Grace' }),
    [true, false],
  ],
  [
    'a role that somebody here has',
    () => change('pos_role', { role_id: member.roleId }, { permissions: '{}' }),
    [true, false],
  ],
  [
    'a role written as it was',
    () => change('pos_role', { role_id: member.roleId }, { updated_at: new Date() }),
    [false, false],
  ],
  [
    'a new passcode of somebody who works here',
    () => updateStaff(fork(), { staffId: member.staffId, wish: { passcodeHash: quickHash('5678') }, by }),
    [true, false],
  ],
  [
    'the same name again',
    () => updateStaff(fork(), { staffId: member.staffId, wish: { firstName: 'Grace' }, by }),
    [false, false],
  ],
  [
    'the role that somebody here has, by its route',
    () => roles.save(fork(), { id: member.roleId, draft: { permissions: '{"void_orders":true}' }, by }),
    [true, false],
  ],
  [
    'a role nobody has',
    async () => {
      const { roleId } = await roles.save(fork(), { draft: { name: 'Spare' }, by });
      await roles.save(fork(), { id: roleId, draft: { name: 'Still spare' }, by });
      await roles.remove(fork(), roleId, by);
    },
    [false, false],
  ],
  [
    'one more assignment',
    () => assignStaff(fork(), { staffId: member.staffId, locationId: elsewhereId, by }),
    [false, true],
  ],
  [
    'the same assignment again',
    () => assignStaff(fork(), { staffId: member.staffId, locationId: elsewhereId, by }),
    [false, false],
  ],
  [
    'an assignment that is taken back',
    () => unassignStaff(fork(), { staffId: member.staffId, locationId: elsewhereId, by }),
    [false, true],
  ],
  [
    'somebody here who leaves for now',
    () => updateStaff(fork(), { staffId: member.staffId, wish: { isActive: false }, by }),
    [true, false],
  ],
  [
    'somebody who left, under another name, with another role and at another place',
    async () => {
      const { roleId } = await roles.save(fork(), { draft: { name: 'Gone' } });
      await updateStaff(fork(), { staffId: member.staffId, wish: { firstName: 'Ada', roleId }, by });
      await roles.save(fork(), { id: roleId, draft: { name: 'Long gone' }, by });
      await assignStaff(fork(), { staffId: member.staffId, locationId: elsewhereId, by });
      await unassignStaff(fork(), { staffId: member.staffId, locationId: elsewhereId, by });
    },
    [false, false],
  ],
  [
    'somebody who comes back',
    () => updateStaff(fork(), { staffId: member.staffId, wish: { isActive: true }, by }),
    [true, false],
  ],
  [
    'the removal of somebody who works there',
    async () => {
      const { staffId } = await aStaffMember(fork(), { allLocations: false, locationIds: [elsewhereId] });
      await deleteStaff(fork(), { staffId, by });
    },
    [false, true],
  ],
  ['somebody hired for everywhere', () => aStaffMember(fork()), [true, true]],
  ['somebody hired for nowhere yet', () => aStaffMember(fork(), { allLocations: false }), [false, false]],
  ['an assignment', () => remove('pos_staff_location', { staff_id: member.staffId }), [true, false]],
  ['the removal of somebody who works everywhere', () => remove('pos_staff', { all_locations: true }), [true, true]],
];
