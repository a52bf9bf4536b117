import { eraseCustomer, readCustomerData } from '../db/customers/erase-customer.ts';
import { eraseGuest, refuseNobody, wouldErase, type GuestErased } from '../db/customers/erase-guest.ts';
import { findAccounts, readGuestData } from '../db/customers/read-person.ts';
import { Customer } from '../db/platform/customers/customer.entity.ts';
import { guestNamed, type GuestName } from '../domain/customers.ts';
import { invalid, notFound } from '../domain/errors.ts';
import { fine, operator, rowId, type Answer, type CommandContext } from './support.ts';

/**
 * `customer export EMAIL-OR-ID`: all that the shop has about a customer, as JSON for them.
 *
 * Refused with 404 for nobody, 400 for an address with an account on several websites.
 */
export async function exportCustomer(shop: CommandContext, input: string): Promise<Answer> {
  const { id: customerId, email } = await customerNamed(shop, input);
  const data = await readCustomerData(await shop.em(), { customerId, email });
  return fine(JSON.stringify(data, null, 2), data);
}

/**
 * `customer erase EMAIL-OR-ID`: names, addresses and contacts go; orders and receipts stay, with their figures. It
 * cannot be undone.
 *
 * Refused with 404 for nobody, 400 for an address with an account on several websites, an order that is not settled,
 * credit or points that are left.
 */
export async function eraseCustomerData(shop: CommandContext, input: string): Promise<Answer> {
  const { id: customerId } = await customerNamed(shop, input);
  const erased = await eraseCustomer(await shop.em(), { customerId, now: shop.now(), by: operator() });
  const account = erased.keepsLedgers
    ? 'The account stays without a name, because its ledger of credit or points does'
    : 'The account is deleted';
  return fine(
    `${account}. ${erased.orders} orders and ${erased.receipts} receipts lost their names and stay with their figures.`,
    {
      customer_id: customerId,
      ...{ orders: erased.orders, receipts: erased.receipts, keeps_ledgers: erased.keepsLedgers },
    },
  );
}

async function customerNamed({ em: connect }: CommandContext, input: string): Promise<Customer> {
  const em = await connect();
  if (!input.includes('@')) {
    const id = rowId(input, 'customer');
    const customer = await em.findOne(Customer, { id });
    if (!customer) throw notFound('No customer has the id %1.', [id]);
    return customer;
  }
  const email = input.trim().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
  const [customer, other] = await em.find(Customer, { email: { $ilike: email } }, { limit: 2 });
  if (!customer) throw notFound('No customer has the e-mail %1.', [input]);
  if (other) throw invalid('%1 has accounts on several websites; name one by its id.', [input]);
  return customer;
}

/**
 * `guest export EMAIL-OR-TELEPHONE`: all that the shop has about a person without an account, as JSON for them.
 * Accounts with the same e-mail are named; each has an export of its own.
 *
 * Refused with 400 for what is neither an e-mail nor a telephone, and the address of walk-in customers; 404 where there
 * is nothing.
 */
export async function exportGuest(shop: CommandContext, input: string): Promise<Answer> {
  const who = guestOf(input);
  const em = await shop.em();
  await refuseNobody(em, who);
  const found = await readGuestData(em, who);
  const accounts = 'email' in who ? await findAccounts(em, who.email) : [];
  if (accounts.length === 0 && Object.values(found).every((rows) => rows.length === 0))
    throw notFound('The shop has nothing about %1.', [input.trim()]);
  const data = { accounts, ...found };
  return fine(JSON.stringify(data, null, 2), data);
}

/**
 * `guest erase EMAIL-OR-TELEPHONE`: names, addresses and contacts go; orders and receipts stay, with their figures. It
 * cannot be undone. Safe to stop and to repeat: it goes on. A dry run changes nothing.
 *
 * Refused with 400 for what is neither an e-mail nor a telephone, the address of walk-in customers, one with an
 * account, and an order of which something is open.
 */
export async function eraseGuestData(
  shop: CommandContext,
  input: string,
  { dryRun = false }: { dryRun?: boolean },
  say = (line: string) => void process.stderr.write(`${line}\n`),
): Promise<Answer> {
  const who = guestOf(input);
  const em = await shop.em();
  if (dryRun) return trial(em, who);
  const done = await eraseGuest(em, {
    ...{ who, by: operator() },
    tell: ({ orders, receipts }) => say(`${orders} orders and ${receipts} receipts erased …`),
  });
  const text = isNothing(done)
    ? 'The shop has nothing about this person.'
    : `${sentenceOf(done)} lost their names, or went.`;
  return fine(text, { ...written(done), dry_run: false });
}

async function trial(em: Awaited<ReturnType<CommandContext['em']>>, who: GuestName): Promise<Answer> {
  await refuseNobody(em, who);
  const { found, accounts, open } = await wouldErase(em, who);
  const lines = [
    isNothing(found) ? 'The shop has nothing about this person.' : `Would be erased: ${sentenceOf(found)}.`,
    ...accounts.map((id) => `Customer ${id} has this address: erase that account first.`),
    ...open.map(({ incrementId, why }) => `Order ${incrementId} ${why}: end that first.`),
  ];
  const isFree = accounts.length === 0 && open.length === 0;
  const json = {
    ...{ ...written(found), dry_run: true, accounts },
    open: open.map(({ incrementId, why }) => ({ increment_id: incrementId, why })),
  };
  return { text: lines.join('\n'), json, isFine: isFree };
}

function guestOf(input: string): GuestName {
  const who = guestNamed(input);
  if (!who) throw invalid('"%1" is neither an e-mail nor a telephone number of six digits or more.', [input]);
  return who;
}

const isNothing = (found: GuestErased) => Object.values(found).every((number) => number === 0);

const sentenceOf = ({ orders, receipts, carts, heldCarts, newsletters, addresses }: GuestErased) =>
  `${orders} orders, ${receipts} receipts, ${carts} carts, ${heldCarts} held carts, ${newsletters} newsletters, ` +
  `${addresses} addresses on orders of others`;

const written = ({ heldCarts, ...found }: GuestErased) => ({ ...found, held_carts: heldCarts });
