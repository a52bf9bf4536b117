import { randomUUID } from 'node:crypto';
import { criteria } from '../../client/criteria.ts';
import { credentials } from '../demo-shop/stores.ts';
import { sentenceOf, type Json, type Teller } from './teller.ts';
import type { OpenRegister } from './till.ts';

/**
 * A shift around the sales: a cart that changes registers, a colleague with a changed role, and one who is locked
 * out.
 */
export async function walkShift(teller: Teller, register: OpenRegister): Promise<void> {
  const trainee = await engage(teller, register);
  await holdAndRecall(teller, register, trainee);
  await promote(teller, trainee);
  await lockOut(teller, register, trainee);
}

interface Trainee {
  staffId: number;
  roleId: number;
  email: string;
  passcode: string;
  token: string;
}

/** Adds a new colleague with a separate role, so that the day can be repeated. */
async function engage(teller: Teller, { terminalId, locationId }: OpenRegister): Promise<Trainee> {
  teller.chapter('A trainee starts');
  const mark = randomUUID().slice(0, 8);
  const passcode = '112233';
  const role = await teller.ask({
    method: 'POST',
    path: '/V1/pos/roles',
    as: 'admin',
    body: { role: { name: `Trainee ${mark}`, permissions: JSON.stringify({ place_orders: true }), is_active: true } },
    means: ({ name, permissions }) => `A role for it: ${name} may ${permissions}.`,
  });
  const email = `trainee-${mark}@demo.example`;
  const person = { first_name: 'Tara', last_name: 'Trainee', email, passcode, role_id: role.role_id, is_active: true };
  const staff = await teller.ask({
    method: 'POST',
    path: '/V1/pos/staff',
    as: 'admin',
    body: { staff: person },
    means: ({ staff_code }) => `Tara is on the list, with the staff code ${staff_code}; no passcode in the answer.`,
  });
  await teller.ask({
    method: 'POST',
    path: `/V1/pos/staff/${staff.staff_id}/locations`,
    as: 'admin',
    body: { locationId },
    means: () => 'She works at this location, so its registers know her at the next pull of their settings.',
  });
  const session = await teller.ask({
    method: 'POST',
    path: '/V1/pos/staff/authenticate',
    body: { email, passcode, terminalId },
    means: ({ role: { name } }) => `She signs in as ${name}.`,
  });
  return { staffId: staff.staff_id, roleId: role.role_id, email, passcode, token: session.token };
}

/** One register parks a cart, another recalls it; a third comes too late and learns who has it. */
async function holdAndRecall(teller: Teller, register: OpenRegister, trainee: Trainee): Promise<void> {
  teller.chapter('A cart is held at one register and recalled at another');
  const heldCart = {
    location_id: register.locationId,
    terminal_id: register.terminalId,
    staff_id: register.staffId,
    staff_name: register.staffName,
    cart_uuid: randomUUID(),
    cart_data: JSON.stringify({ lines: [{ sku: 'for the app to know', qty: 2 }] }),
    customer_name: 'The lady with the red umbrella',
    item_count: 2,
    grand_total: 39.98,
    currency_code: 'USD',
    hold_comment: 'fetching her purse',
  };
  const hold = (means: (cart: Json) => string) =>
    teller.ask({ method: 'POST', path: '/V1/pos/held-carts', body: { heldCart }, means });
  const held = await hold(({ held_cart_id }) => `Parked as cart ${held_cart_id}.`);
  await hold(({ held_cart_id }) => `The answer was lost and it is sent again: still cart ${held_cart_id}.`);
  await teller.ask({
    method: 'GET',
    path: `/V1/pos/held-carts/location/${register.locationId}?pageSize=5`,
    means: (carts) => `Every register of the location sees it; ${carts[0].customer_name} is the newest.`,
  });
  const recall = `/V1/pos/held-carts/${held.held_cart_id}/recall`;
  await teller.ask({
    method: 'POST',
    path: recall,
    body: { staffId: trainee.staffId },
    means: ({ cart_data }) => `The second register has it, with all ${cart_data.length} characters of the app's own.`,
  });
  await teller.ask({
    method: 'POST',
    path: recall,
    body: { staffId: register.staffId },
    expect: 400,
    means: (refusal) => `The third loses: ${sentenceOf(refusal)}`,
  });
  await teller.ask({
    method: 'DELETE',
    path: `/V1/pos/held-carts/${held.held_cart_id}`,
    means: () => 'Sold there, so the parked cart is gone.',
  });
}

/** A changed role applies to everyone with it, at the next validation of their session. */
async function promote(teller: Teller, { roleId, token }: Trainee): Promise<void> {
  teller.chapter('A role changes in the middle of the shift');
  const validate = (means: (session: Json) => string) =>
    teller.ask({ method: 'POST', path: '/V1/pos/staff/session/validate', body: { token }, means });
  await validate(({ role }) => `Before: ${role.permissions}.`);
  await teller.ask({
    method: 'PUT',
    path: `/V1/pos/roles/${roleId}`,
    as: 'admin',
    body: { role: { permissions: JSON.stringify({ place_orders: true, issue_refunds: true }) } },
    means: ({ name }) => `${name} may refund from now on.`,
  });
  const { role } = await validate((session) => `After, without a new sign-in: ${session.role.permissions}.`);
  teller.must(JSON.parse(role.permissions).issue_refunds === true, 'The new permission did not arrive.');
}

/** After three wrong passcodes the right one must wait; a manager's unlock permits it at once. */
async function lockOut(teller: Teller, { terminalId }: OpenRegister, trainee: Trainee): Promise<void> {
  teller.chapter('A lockout, and a manager who ends it');
  const { email, passcode, staffId } = trainee;
  const signIn = (input: string, expect: number, means: (body: Json) => string) =>
    teller.ask({
      method: 'POST',
      path: '/V1/pos/staff/authenticate',
      body: { email, passcode: input, terminalId },
      expect,
      means,
    });
  for (const guess of ['111111', '222222', '333333']) await signIn(guess, 401, ({ message }) => `Wrong: ${message}`);
  await signIn(passcode, 401, (refusal) => `Now even the right one: ${sentenceOf(refusal)}`);
  const manager = credentials.staff.find(({ role }) => role === 'Manager')?.name ?? 'A manager';
  await teller.ask({
    method: 'POST',
    path: `/V1/pos/staff/${staffId}/unlock`,
    as: 'admin',
    means: (unlocked) => `${manager} unlocks her: ${unlocked}.`,
  });
  await signIn(passcode, 200, ({ staff }) => `${staff.first_name} is in again.`);
}

interface Text {
  identifier: string;
  title: string;
  content: string;
}

/** A block that is part of the two others. */
const openingHours: Text = {
  identifier: 'opening_hours',
  title: 'Opening hours',
  content: '<p>Open from 9 to 18, on Sunday closed.</p>',
};
const idleScreen: Text = {
  identifier: 'idle_screen',
  title: 'Idle screen',
  content: '<h1>Welcome to {{config path="general/store_information/name"}}</h1>{{block id="opening_hours"}}',
};
const display: Text = {
  identifier: 'customer_display',
  title: 'Customer display',
  content: '<p>Fresh coffee at the counter.</p>{{block id="opening_hours"}}',
};

/**
 * Texts for the customer display and the idle screen, as an editor at the office handles them: drafted, published,
 * read.
 */
export async function customerDisplay(teller: Teller): Promise<void> {
  teller.chapter('At the office: blocks for the customer display and the idle screen');
  const { username, password } = credentials.admin;
  const token: string = await teller.ask({
    method: 'POST',
    path: '/V1/integration/admin/token',
    body: { username, password },
    means: () => 'An editor signs in: content is for people, an integration’s token does not open it.',
  });
  for (const text of [openingHours, idleScreen]) await show(teller, token, text);
  const block = await show(teller, token, display);
  await teller.ask({
    method: 'PUT',
    path: `/V1/cmsBlock/${block.id}`,
    token,
    body: { block: { content: '<p>Closed on Sunday?</p>', extension_attributes: { revision: 0 } } },
    expect: 409,
    means: ({ parameters }: Json) =>
      `A second editor who read it earlier is told: changed by ${parameters.changed_by}.`,
  });
  await teller.ask({
    method: 'GET',
    path: `/V1/cmsBlock/${block.id}/versions`,
    token,
    means: (versions: Json[]) => `${versions.length} version(s), the newest by ${versions[0]?.author}.`,
  });
  await readOnScreens(teller);
}

/** Drafts a block and publishes it. */
async function show(teller: Teller, token: string, text: Text): Promise<Json> {
  const block = await draft(teller, token, text);
  return teller.ask({
    method: 'POST',
    path: `/V1/cmsBlock/${block.id}/publish`,
    token,
    body: {},
    means: ({ extension_attributes: { published_version: version } }: Json) =>
      `Version ${version} is shown from now on; HTML and CSS were made safe once, now.`,
  });
}

/** Reads as any screen of the shop, without a token: one request for everything it shows. */
async function readOnScreens(teller: Teller): Promise<void> {
  const query = '{vendorCmsBlocks(identifiers:["customer_display","idle_screen"]){items{identifier html css}}}';
  const { text } = await teller.visit({
    path: `/graphql?query=${encodeURIComponent(query)}`,
    means: () => 'The customer display and the idle screen ask for their blocks by name, as anybody may.',
  });
  const { items = [] }: Json = JSON.parse(text).data?.vendorCmsBlocks ?? {};
  for (const { identifier, html } of items) teller.say(`${identifier}: ${html}`);
  teller.must(items.length === 2, `The screens show ${items.length} blocks of 2: ${text}`);
}

/** On the second day the block exists already. */
async function draft(teller: Teller, token: string, { identifier, title, content }: Text): Promise<Json> {
  const query = new URLSearchParams(criteria().where('identifier', identifier).query()).toString();
  const { items } = await teller.ask({
    method: 'GET',
    path: `/V1/cmsBlock/search?${query}`,
    token,
    means: ({ total_count: count }: Json) => `${count} block(s) of this name.`,
  });
  return teller.ask({
    method: 'POST',
    path: '/V1/cmsBlock',
    token,
    body: {
      block: {
        ...(items[0] === undefined ? { identifier } : { id: items[0].id }),
        title,
        content,
        extension_attributes: { css: 'p { color: teal }', liveview: true },
      },
    },
    means: ({ id, extension_attributes: { version } }: Json) =>
      `Block ${id}, version ${version}: a draft nobody else sees.`,
  });
}
