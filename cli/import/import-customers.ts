import type { EntityManager } from '@mikro-orm/postgresql';
import { findWebsite } from '../../db/prices/find-website.ts';
import { Customer, CustomerAddress } from '../../db/platform/customers/customer.entity.ts';
import { CustomerGroup } from '../../db/platform/customers/customer-group.entity.ts';
import { createCustomer, updateCustomer } from '../../db/platform/customers/save-customer.ts';
import { StoreGroup } from '../../db/platform/stores/store-group.entity.ts';
import { StoreView } from '../../db/platform/stores/store-view.entity.ts';
import { Website } from '../../db/platform/stores/website.entity.ts';
import { invalid } from '../../domain/errors.ts';
import type { AddressDraft, CustomerDraft } from '../../domain/platform/customers/customer-draft.ts';
import { regionOf } from '../../domain/platform/directory/region-codes.ts';
import { cell, type CsvRow, type ImportKind } from './import-kind.ts';

/**
 * Imports customers by email and website; without `website` it is the default one. Empty cells change nothing for a
 * known customer. An address is added only when the customer has none, so a repeat adds no second one. Customers get no
 * password; they can request one.
 */
export const customers: ImportKind = {
  columns: ['email', 'firstname', 'lastname'],
  keyOf: (row) => `${row['website'] ?? ''} ${(row['email'] ?? '').toLowerCase()}`,
  async save(em, row) {
    const { websiteId } = await findWebsite(em, row['website']);
    const email = row['email'] ?? '';
    const known = await em.findOne(Customer, { email: { $ilike: literal(email) }, websiteId });
    const draft = { ...(await draftOf(em, row)), websiteId };
    const address = addressOf(row);
    if (known) {
      const hasOne = (await em.count(CustomerAddress, { customer: known.id })) > 0;
      const addresses = hasOne || !address ? undefined : [address];
      await updateCustomer(em.fork(), { customerId: known.id, draft: { ...draft, addresses } });
    } else {
      const currentStoreId = await viewFor(em, websiteId, cell(row, 'store_view'));
      const opened = { ...draft, storeId: currentStoreId, addresses: address ? [address] : undefined };
      await createCustomer(em.fork(), { draft: opened, currentStoreId });
    }
  },
};

const literal = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

async function draftOf(em: EntityManager, row: CsvRow): Promise<CustomerDraft> {
  const group = cell(row, 'group');
  const found = group === undefined ? undefined : await em.findOne(CustomerGroup, { code: group });
  if (found === null) throw invalid('No customer group has the code %1.', [group]);
  return {
    email: row['email'],
    firstname: row['firstname'],
    lastname: row['lastname'],
    middlename: cell(row, 'middlename'),
    dob: cell(row, 'dob'),
    taxvat: cell(row, 'taxvat'),
    groupId: found?.id,
  };
}

function addressOf(row: CsvRow): AddressDraft | undefined {
  const street = cell(row, 'street');
  if (street === undefined) return undefined;
  const countryId = cell(row, 'country');
  return {
    firstname: row['firstname'],
    lastname: row['lastname'],
    street: [street],
    city: cell(row, 'city'),
    postcode: cell(row, 'postcode'),
    countryId,
    ...regionOf(countryId, cell(row, 'region') ?? null),
    telephone: cell(row, 'telephone'),
    company: cell(row, 'company'),
    isDefaultBilling: true,
    isDefaultShipping: true,
  };
}

/** The named store view, else the website's default one. */
async function viewFor(em: EntityManager, websiteId: number, code: string | undefined): Promise<number> {
  if (code !== undefined) {
    const view = await em.findOne(StoreView, { code, websiteId });
    if (!view) throw invalid('No store view of the website has the code %1.', [code]);
    return view.storeId;
  }
  const { defaultGroupId } = await em.findOneOrFail(Website, { websiteId });
  const group = await em.findOne(StoreGroup, { groupId: defaultGroupId });
  return group?.defaultStoreId ?? 0;
}
