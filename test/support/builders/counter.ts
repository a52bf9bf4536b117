import type { EntityManager } from '@mikro-orm/postgresql';
import { hashSync } from 'bcryptjs';
import { roles, type RoleDraft } from '../../../db/staff/roles.ts';
import { createStaff, type NewStaff } from '../../../db/staff/staff.ts';
import { createSecretBox } from '../../../db/support/secret-box.ts';
import { grantLicense, type LicenseGrant } from '../../../db/terminals/licenses.ts';
import { saveTerminal, type TerminalInput } from '../../../db/terminals/save-terminal.ts';
import { firstId } from '../first-id.ts';

/** 32 bytes in base64, for `settings: { POS_SECRET_KEY: secretKey }`. */
export const secretKey = Buffer.alloc(32, 7).toString('base64');
export const secretBox = createSecretBox(secretKey);

let made = 0;

/** A terminal with a PRO license by default, bound to a device unless `deviceIdentifier` is null. */
export async function aTerminal(
  em: EntityManager,
  { license = 'pro', expiresAt, ...wish }: TerminalInput & { license?: LicenseGrant['type']; expiresAt?: Date } = {},
) {
  const deviceIdentifier = wish.deviceIdentifier === undefined ? `device-${++made}` : wish.deviceIdentifier;
  const terminalId = await saveTerminal(em, undefined, { name: 'Till', ...wish, deviceIdentifier });
  if (license !== 'none')
    await grantLicense(em, secretBox, { terminalId, type: license, ...(expiresAt ? { expiresAt } : {}) });
  return { terminalId, deviceIdentifier: deviceIdentifier ?? '' };
}

/** A cheap hash, because these tests do not test password hashing. */
export const quickHash = (passcode: string) => hashSync(passcode, 4);

/** A member of staff: passcode 1234, by default with a role of their own and every location. */
export async function aStaffMember(
  em: EntityManager,
  { permissions = '{"place_orders":true}', ...wish }: Partial<NewStaff> & { permissions?: string } = {},
) {
  const roleId = wish.roleId ?? (await aRole(em, { name: 'Cashier', permissions }));
  const email = wish.email ?? `cashier-${++made}@shop.test`;
  const { staffId, staffCode } = await createStaff(em, {
    firstName: 'Ada',
    lastName: 'Lovelace',
    passcodeHash: quickHash('1234'),
    allLocations: true,
    ...wish,
    email,
    roleId,
  });
  return { staffId, staffCode, email, roleId };
}

/** A cash sale's receipt as a register posts it. */
export const aReceipt = (terminalId: number, more: Record<string, unknown> = {}) => ({
  sale_id: `sale-${++made}`,
  terminal_id: terminalId,
  location_id: firstId,
  staff_name: 'Ada',
  payment_method: 'cash',
  subtotal: 100,
  tax_amount: 8,
  discount_amount: 0,
  grand_total: 108,
  currency: 'USD',
  created_at: '2026-11-21 10:00:00',
  receipt_number: 'R-1',
  amount_tendered: 110,
  change_due: 2,
  items: [
    { sku: 'MUG', name: 'Mug', qty: 2, price: 50, row_total: 100, tax_amount: 8, discount_amount: 0 },
    { sku: 'PLATE', name: 'Plate', qty: 0.5, price: 0, row_total: 0 },
  ],
  ...more,
});

/** The id of a new role. */
export const aRole = async (em: EntityManager, draft: RoleDraft): Promise<number> =>
  (await roles.save(em, { draft })).roleId;
