import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Location } from '../../db/locations/location.entity.ts';
import { roles as allRoles } from '../../db/staff/roles.ts';
import { createStaff } from '../../db/staff/staff.ts';
import { Role } from '../../db/staff/role.entity.ts';
import { Staff } from '../../db/staff/staff.entity.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { grantLicense, licenseTokenPurpose } from '../../db/terminals/licenses.ts';
import { License } from '../../db/terminals/license.entity.ts';
import { saveTerminal } from '../../db/terminals/save-terminal.ts';
import { Terminal } from '../../db/terminals/terminal.entity.ts';
import { permissionKeys } from '../../domain/staff/permissions.ts';
import { credentials } from './credentials.ts';
import { goOnAfter } from './go-on-after.ts';
import { passwordHashes } from './password-hashes.ts';

/** A cashier's rights; a manager has all. */
const cashierMay = [
  'place_orders',
  'apply_discounts',
  'apply_coupons',
  'issue_refunds',
  'accept_cash',
  'accept_card',
  'accept_split_payment',
  'accept_store_credit',
  'open_register',
  'close_register',
  'view_register_history',
  'view_customers',
  'create_customers',
  'edit_customers',
  'view_products',
  'view_stock_levels',
  'view_daily_summary',
  'open_cash_drawer',
  'print_receipts',
  'hold_cart',
] as const;

const roles: Record<'Cashier' | 'Manager', readonly string[]> = { Cashier: cashierMay, Manager: permissionKeys };

/** Roles, staff with their passcodes, and registers with unused activation codes and PRO licenses. */
export async function seedTeam(em: EntityManager, secrets: SecretBox): Promise<void> {
  const roleIds = { Cashier: await seedRole(em, 'Cashier'), Manager: await seedRole(em, 'Manager') };
  const locations = await em.find(Location, {});
  const locationId = (code: string) => locations.find((location) => location.code === code)?.locationId;
  const known = new Set((await em.find(Staff, {}, { fields: ['email'] })).map(({ email }) => email));
  // One after the other, so that each has the same id in every demo shop.
  for (const { name, email, passcode, role, locations: codes } of credentials.staff) {
    if (known.has(email)) continue;
    const [firstName = '', lastName = ''] = name.split(' ');
    await createStaff(em.fork(), {
      ...{ firstName, lastName, email, passcodeHash: passwordHashes[passcode] },
      roleId: roleIds[role],
      allLocations: codes === 'all',
      locationIds: codes === 'all' ? [] : codes.flatMap((code) => locationId(code) ?? []),
    });
  }
  await seedLicense(em, secrets);
  for (const { name, activationCode, licenseKey, location } of credentials.terminals) {
    if ((await em.count(Terminal, { name })) > 0) continue;
    const terminalId = await saveTerminal(em, undefined, { name, activationCode, locationId: locationId(location) });
    await grantLicense(em, secrets, { terminalId, type: 'pro', licenseKey });
  }
}

/** A license that no register uses yet: an administrator can link it. */
async function seedLicense(em: EntityManager, secrets: SecretBox): Promise<void> {
  const { licenseId } = credentials;
  const sealedToken = secrets.seal(randomBytes(32).toString('hex'), licenseTokenPurpose);
  const license = { licenseId, type: 'pro', status: 'active', sealedToken } as const;
  await em.upsert(License, license, { onConflictFields: ['licenseId'], onConflictAction: 'ignore' });
  await goOnLicenses.run(em);
}

async function seedRole(em: EntityManager, name: 'Cashier' | 'Manager'): Promise<number> {
  const known = await em.findOne(Role, { name });
  if (known) return known.roleId;
  const permissions = Object.fromEntries(roles[name].map((key) => [key, true]));
  return (await allRoles.save(em, { draft: { name, permissions: JSON.stringify(permissions) } })).role_id;
}

const goOnLicenses = goOnAfter('pos_license', 'license_id');
