import { randomUUID } from 'node:crypto';
import { credentials } from '../demo-shop/credentials.ts';
import type { Teller } from './teller.ts';

/** What the rest of the day needs to know about the opened register. */
export interface OpenRegister {
  terminalId: number;
  locationId: number;
  staffId: number;
  staffName: string;
  /** Payment methods behind the two card providers, as the configuration names them. */
  cardMethod: string;
  /** The payment method of a sale on invoice. */
  invoiceMethod: string;
}

/** Morning: settings, activation, sign-in. */
export async function openRegister(teller: Teller): Promise<OpenRegister> {
  teller.chapter('Opening');
  const { admin, cashier, location } = credentials;
  await teller.ask({
    method: 'POST',
    path: '/V1/integration/admin/token',
    body: { username: admin.username, password: admin.password },
    means: (token) => `An administrator has a token of ${String(token).length} characters.`,
  });
  const config = JSON.parse(
    await teller.ask({
      method: 'GET',
      path: '/V1/pos/config',
      means: (text) => `The settings, parsed twice: module ${JSON.parse(text).module_version}.`,
    }),
  );
  const { terminalId, deviceIdentifier } = await activate(teller, location.locationId);
  await teller.ask({
    method: 'GET',
    path: `/V1/pos/terminals/${terminalId}/config`,
    means: (text) => {
      const { staff, roles, location: place } = JSON.parse(text);
      return `Everything this register needs at ${place.name}: ${staff.length} people in ${roles.length} roles.`;
    },
  });
  await teller.ask({
    method: 'POST',
    path: `/V1/pos/terminals/${terminalId}/heartbeat`,
    body: { deviceIdentifier },
    means: ({ config_hash, has_license }) => `Alive; settings at ${config_hash}, licensed: ${has_license}.`,
  });
  const session = await signIn(teller, { terminalId, ...cashier });
  return {
    terminalId,
    locationId: location.locationId,
    staffId: session.staff_id,
    staffName: `${session.staff.first_name} ${session.staff.last_name}`,
    cardMethod: config.payments.providers.provider_a.magento_method,
    invoiceMethod: config.payments.pay_by_invoice_method,
  };
}

/** Creates a terminal at the location and binds a new device to it; a second device with the same code is refused. */
async function activate(teller: Teller, locationId: number) {
  const terminal = await makeTerminal(teller, locationId);
  const deviceIdentifier = `demo-${randomUUID()}`;
  const body = { activationCode: terminal.activation_code, deviceIdentifier };
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/terminals/activate',
    as: 'admin',
    body,
    means: ({ location, staff_list }) =>
      `This device is now a register of ${location.name}; ${staff_list.length} people may sign in.`,
  });
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/terminals/activate',
    as: 'admin',
    body: { ...body, deviceIdentifier: `other-${randomUUID()}` },
    expect: 404,
    means: ({ message }) => `A second device with the same code: ${message}`,
  });
  return { terminalId: Number(terminal.terminal_id), deviceIdentifier };
}

const makeTerminal = (teller: Teller, locationId: number) =>
  teller.ask({
    method: 'POST',
    path: '/V1/pos/terminals',
    as: 'admin',
    body: {
      terminal: {
        name: `Demo register ${new Date().toISOString().slice(11, 19)}`,
        location_id: locationId,
        is_active: true,
        license_id: credentials.licenseId,
      },
    },
    means: ({ activation_code }) =>
      `An administrator made a terminal; its code is ${activation_code}, good for one use.`,
  });

async function signIn(
  teller: Teller,
  { terminalId, email, passcode }: { terminalId: number; email: string; passcode: string },
) {
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/staff/authenticate',
    body: { email, passcode: 'not the passcode', terminalId },
    expect: 401,
    means: ({ message }) => `A wrong passcode: ${message}`,
  });
  const session = await teller.ask({
    method: 'POST',
    path: '/V1/pos/staff/authenticate',
    body: { email, passcode, terminalId },
    means: ({ staff, role, expires_at }) => `${staff.first_name} signs in as ${role.name}, until ${expires_at}.`,
  });
  return teller.ask({
    method: 'POST',
    path: '/V1/pos/staff/session/validate',
    body: { token: session.token },
    means: ({ role }) => `The session holds; the role is ${role.name}.`,
  });
}
