import { eraseCustomer, readCustomerData } from '../db/customers/erase-customer.ts';
import { Customer } from '../db/platform/customers/customer.entity.ts';
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
 * `customer erase EMAIL-OR-ID`: names, addresses and contacts go; orders and receipts stay, with their figures. It cannot be
 * undone.
 *
 * Refused with 404 for nobody, 400 for an address with an account on several websites, an order that is not settled, credit
 * or points that are left.
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
