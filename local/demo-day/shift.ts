import { randomUUID } from 'node:crypto';
import { credentials } from '../demo-shop/credentials.ts';
import type { OpenRegister } from './open-register.ts';
import { sentenceOf, type Json, type Teller } from './teller.ts';

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
  const signIn = (given: string, expect: number, means: (body: Json) => string) =>
    teller.ask({
      method: 'POST',
      path: '/V1/pos/staff/authenticate',
      body: { email, passcode: given, terminalId },
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
