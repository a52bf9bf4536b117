import { randomUUID } from 'node:crypto';
import { placeOf, readConfiguration } from '../../client/configuration.ts';
import { criteria } from '../../client/criteria.ts';
import type { Shape } from '../../client/shapes.ts';
import { credentials } from '../demo-shop/stores.ts';
import type { CaughtMail } from '../mail-catcher.ts';
import { DayWentWrong, type Json, type Teller } from './teller.ts';
import { mustBe, openTill, type OpenRegister } from './till.ts';

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
  const configuration = await readConfiguration(teller.client, terminalId);
  if (configuration.kind !== 'done') throw new DayWentWrong(`No configuration: ${JSON.stringify(configuration)}`);
  const place = placeOf(configuration.value, session as Shape<'StaffSession'>);
  return {
    ...{ terminalId, locationId: place.locationId, staffId: place.staffId, staffName: place.staffName },
    till: openTill(teller, place),
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

/** A register's report when it closes: what it counted during the day, and what was changed at it. */
export async function reportDay(teller: Teller, register: OpenRegister): Promise<void> {
  teller.chapter('Closing: telemetry and the audit trail');
  await tellTelemetry(teller, register);
  await reportAudit(teller, register);
  await sendSessionReport(teller, register);
}

/** The report of the day's session; the register lost the answer and sends it again. */
async function sendSessionReport(teller: Teller, { till }: OpenRegister): Promise<void> {
  const currency = till.place.money.currency;
  const report = {
    ...{ session_id: randomUUID(), number: 1 },
    ...{ opened_at: new Date(Date.now() - 8 * 3_600_000).toISOString(), closed_at: new Date().toISOString() },
    document: { tenders: [{ tender: 'cash', currency, counted: 159.92, expected: 159.92 }] },
  };
  const sent = mustBe(await till.register.sendReport(report));
  const again = mustBe(await till.register.sendReport(report));
  teller.must(again.reportId === sent.reportId, 'One session has two reports.');
}

async function tellTelemetry(teller: Teller, { locationId, terminalId }: OpenRegister): Promise<void> {
  const recordedAt = new Date().toISOString();
  const event = (name: string, value: number) => ({
    event_type: 'counter',
    event_name: name,
    value,
    recorded_at: recordedAt,
  });
  const events: Json[] = [event('checkout_completed', 4), { event_name: 'of no type' }, event('cart_held', 1)];
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/telemetry',
    body: { payload: { location_id: locationId, terminal_id: terminalId, app_version: 'demo', events } },
    means: (isStored) => `Two good events and a malformed one that costs the others nothing: ${isStored}.`,
  });
  await teller.ask({
    method: 'GET',
    path: `/V1/pos/telemetry/report?locationId=${locationId}`,
    as: 'admin',
    means: ({ total_events, rows }) => `The location's report counts ${total_events} events in ${rows.length} rows.`,
  });
}

async function reportAudit(teller: Teller, register: OpenRegister): Promise<void> {
  const { terminalId, locationId, staffId, staffName } = register;
  const entry = {
    entity_type: 'register_session',
    entity_id: String(terminalId),
    field_name: 'counted_cash',
    old_value: '0.00',
    new_value: '159.92',
    staff_id: staffId,
    staff_name: staffName,
    terminal_id: terminalId,
    location_id: locationId,
  };
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/audit-log',
    body: { entries: [entry, { ...entry, entity_type: '', field_name: '', new_value: 'the drawer stuck' }] },
    means: () => 'Two entries; the one that forgot its names is kept as unknown, not refused.',
  });
  await teller.ask({
    method: 'GET',
    path: `/V1/pos/audit-log?${newestOf(terminalId)}`,
    as: 'admin',
    means: ({ items, total_count }) =>
      `${total_count} lines about this terminal: ${items.map(lineOf).join('; ')}; the administrator's own among them.`,
  });
}

const newestOf = (terminalId: number) =>
  new URLSearchParams(criteria().where('entity_id', terminalId).sortedBy('log_id', 'DESC').page(4).query()).toString();

const lineOf = ({ change_source, entity_type, field_name, new_value }: Json) =>
  `${change_source} ${entity_type}.${field_name} = ${new_value ?? 'nothing'}`;

/** The longest wait for a code; it usually comes within a second. */
const longestWaitMs = 20_000;
const pauseMs = 200;

/**
 * A customer signs in at a kiosk with the code from the mail, and joins the newsletter. Each run has a new customer,
 * so that the day can be repeated at once: one e-mail gets five codes an hour.
 */
export async function kioskDay(teller: Teller, { terminalId }: OpenRegister): Promise<void> {
  const { mail } = teller.ready;
  if (mail === null) return;
  teller.chapter('A customer signs in at a kiosk');
  const email = `kiosk-${randomUUID().slice(0, 8)}@demo.example`;
  const customer = await teller.ask({
    method: 'POST',
    path: '/V1/customers',
    body: { customer: { email, firstname: 'Kim', lastname: 'Kiosk' } },
    means: ({ id }) => `Kim Kiosk has an account: customer ${id}.`,
  });
  await askForCode(teller, { email, terminalId });
  await askForCode(teller, { email: `nobody-${email}`, terminalId });
  const code = await codeFromMail(teller, { mail, email });
  await kioskDaySignIn(teller, { email, code, terminalId, customerId: customer.id });
  await joinNewsletter(teller, { email, customerId: customer.id });
}

const askForCode = (teller: Teller, request: { email: string; terminalId: number }) =>
  teller.ask({
    method: 'POST',
    path: '/V1/pos/self-checkout/otp/request',
    body: { request },
    means: () => 'An empty answer, whether or not the e-mail has an account.',
  });

interface SignIn {
  email: string;
  code: string;
  terminalId: number;
  customerId: number;
}

async function kioskDaySignIn(teller: Teller, { customerId, ...request }: SignIn): Promise<void> {
  const verify = (code: string, expect: number, means: (body: Json) => string) =>
    teller.ask({
      method: 'POST',
      path: '/V1/pos/self-checkout/otp/verify',
      body: { request: { ...request, code } },
      expect,
      means,
    });
  await verify(`${request.code}0`, 401, ({ message }) => `A wrong code: ${message}`);
  const who = await verify(request.code, 200, ({ firstname, lastname }) => `It is ${firstname} ${lastname}. No token.`);
  teller.must(who.customer_id === customerId, 'Somebody else was signed in.');
  await verify(request.code, 401, () => 'The same code again signs nobody in.');
}

/** Reads the code as a person reads it on the mail catcher's page. */
async function codeFromMail(teller: Teller, { mail, email }: { mail: string; email: string }): Promise<string> {
  for (const until = Date.now() + longestWaitMs; Date.now() < until;) {
    const messages: CaughtMail[] = JSON.parse(await (await fetch(`${mail}/api/messages`)).text());
    const [, code] = /^ {4}(\d{4,10})$/m.exec(messages.find(({ to }) => to.includes(email))?.text ?? '') ?? [];
    if (code !== undefined) {
      teller.say(`The mail at ${mail} says ${code}.`);
      return code;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  teller.must(false, 'No mail with a code came.');
  return '';
}

async function joinNewsletter(teller: Teller, body: { email: string; customerId: number }): Promise<void> {
  const joined = await teller.ask({
    method: 'POST',
    path: '/V1/pos/newsletter/subscribe',
    body,
    means: ({ status }) => `The newsletter: ${status}.`,
  });
  const known = await teller.ask({
    method: 'GET',
    path: `/V1/pos/newsletter/status?email=${encodeURIComponent(body.email)}`,
    means: ({ subscribed }) => `Subscribed: ${subscribed}.`,
  });
  teller.must(joined.subscribed === known.subscribed, 'The newsletter forgot somebody.');
}
