import type { EntityManager } from '@mikro-orm/postgresql';
import { customerPayload, toCustomerDraft } from '../../api/platform/customers/customer-payload.ts';
import { addIfNew } from '../../db/platform/customers/addresses.ts';
import { CustomerGroup } from '../../db/platform/customers/customer-group.entity.ts';
import { Customer } from '../../db/platform/customers/customer.entity.ts';
import { createCustomer, updateCustomer } from '../../db/platform/customers/save-customer.ts';
import { readStoreGroups, readStoreViews, readWebsites } from '../../db/platform/stores/read-stores.ts';
import { findWebsite } from '../../db/prices/find-website.ts';
import { joined, transact } from '../../db/support/transact.ts';
import { invalid } from '../../domain/errors.ts';
import type { AddressDraft, CustomerDraft } from '../../domain/platform/customers/customer-draft.ts';
import { addressOf } from './customer-address.ts';
import { dayOf } from './attribute-cells.ts';
import { customerColumns } from './customer-columns.ts';
import { asSent, cell, wrongCell, type CsvRow, type ImportKind, type ImportOptions } from './import-kind.ts';

/**
 * Imports customers by email and website, by the schema of their route; without `website` it is the default one. Empty
 * cells change nothing for a known customer. An address is added unless the customer has the same, so a repeat adds no
 * second one. Customers get no password; they can request one. Columns have our names or those of the platform's export.
 */
export const customers: ImportKind = {
  columns: [],
  async open(em, columns, options) {
    const { names, leftOut, areAddresses, goesOn } = customerColumns(columns, options.from !== undefined);
    const missing = ['email', ...(areAddresses ? [] : ['firstname', 'lastname'])].filter(
      (name) => ![...names.values()].includes(name),
    );
    if (missing.length > 0) throw invalid('The first line has no column %1.', [missing.join(', ')]);
    const places = await readPlaces(em);
    let before: CsvRow = {};
    return {
      leftOut,
      read(row) {
        const given: CsvRow = Object.fromEntries([...names].map(([column, name]) => [name, row[column] ?? '']));
        const isFurther = goesOn && given['email'] === '' && before['email'] !== undefined;
        const own = isFurther ? { ...given, email: before['email'] ?? '', website: before['website'] ?? '' } : given;
        if (!isFurther) before = own;
        const websiteId = places.websiteId(cell(own, 'website'));
        const email = (own['email'] ?? '').toLowerCase();
        return {
          key: `${websiteId} ${email}`,
          save: areAddresses || isFurther ? addressSaver(own, websiteId) : saver(own, { websiteId, places, options }),
        };
      },
    };
  },
};

interface Places {
  websiteId: (code: string | undefined) => number;
  viewOf: (websiteId: number, code: string | undefined) => number;
  groupId: (row: CsvRow) => number | undefined;
}

/** The websites, views and groups of the shop, read once. */
async function readPlaces(em: EntityManager): Promise<Places> {
  const standard = await findWebsite(em);
  const websites = (await readWebsites(em)).filter(({ website_id: id }) => id > 0);
  const [views, storeGroups] = [await readStoreViews(em), await readStoreGroups(em)];
  const groups = await em.find(CustomerGroup, {});
  return {
    websiteId(code) {
      if (code === undefined) return standard.websiteId;
      const found = websites.find((website) => website.code === code);
      if (!found) throw invalid('No website has the code %1.', [code]);
      return found.website_id;
    },
    viewOf(websiteId, code) {
      // The platform's export names the view above all others.
      if (code !== undefined && code !== 'admin') {
        const view = views.find((one) => one.code === code && one.website_id === websiteId);
        if (!view) throw invalid('No store view of the website has the code %1.', [code]);
        return view.store_id;
      }
      const groupId = websites.find(({ website_id: id }) => id === websiteId)?.default_group_id;
      return storeGroups.find(({ group_id: id }) => id === groupId)?.default_store_id ?? 0;
    },
    groupId(row) {
      const [code, id] = [cell(row, 'group'), cell(row, 'group_id')];
      const found = groups.find((group) => (code === undefined ? String(group.id) === id : group.code === code));
      if (code !== undefined && !found) throw invalid('No customer group has the code %1.', [code]);
      if (id !== undefined && !found) throw invalid('No customer group has the id %1.', [id]);
      return found?.id;
    },
  };
}

const genders: Readonly<Record<string, number>> = { male: 1, female: 2, 'not specified': 3 };

/** Refused with 400: what the route of customers refuses, or a name that the shop does not have. */
function draftOf(row: CsvRow, { places, options }: { places: Places; options: ImportOptions }): CustomerDraft {
  const dob = cell(row, 'dob');
  const gender = cell(row, 'gender');
  const body = {
    ...Object.fromEntries(
      ['email', 'firstname', 'lastname', 'middlename', 'prefix', 'suffix', 'taxvat'].map((name) => [
        name,
        cell(row, name),
      ]),
    ),
    dob: dob === undefined ? undefined : dayOf('dob', dob, options.dates).slice(0, 10),
    gender: gender === undefined ? undefined : (genders[gender.toLowerCase()] ?? gender),
    groupId: places.groupId(row),
    disableAutoGroupChange: cell(row, 'disable_auto_group_change'),
  };
  if (body.disableAutoGroupChange !== undefined && !/^[01]$/.test(body.disableAutoGroupChange))
    throw wrongCell('disable_auto_group_change', body.disableAutoGroupChange);
  return toCustomerDraft(asSent(customerPayload, body));
}

/** A customer, new or known. */
function saver(row: CsvRow, around: { websiteId: number; places: Places; options: ImportOptions }) {
  const { websiteId, places } = around;
  const draft = { ...draftOf(row, around), websiteId };
  const address = addressOf(row);
  const viewCode = cell(row, 'store_view');
  const storeId = places.viewOf(websiteId, viewCode);
  return async (em: EntityManager): Promise<string[]> => {
    const known = await findCustomer(em, row['email'] ?? '', websiteId);
    if (known === undefined) {
      const opened = { ...draft, storeId, addresses: address ? [withDefaults(address)] : undefined };
      await createCustomer(em, { draft: opened, currentStoreId: storeId });
      return [];
    }
    await transact(em, async (tx) => {
      await updateCustomer(joined(tx), { customerId: known, draft });
      if (address) await addIfNew(joined(tx), known, address);
    });
    return [];
  };
}

/** The first address is the default one, unless the file says which is. */
const withDefaults = (address: AddressDraft): AddressDraft => {
  const isSaid = address.isDefaultBilling !== undefined || address.isDefaultShipping !== undefined;
  return isSaid ? address : { ...address, isDefaultBilling: true, isDefaultShipping: true };
};

/** An address of a customer who is there. */
function addressSaver(row: CsvRow, websiteId: number) {
  const address = addressOf(row);
  const email = row['email'] ?? '';
  return async (em: EntityManager): Promise<string[]> => {
    const known = await findCustomer(em, email, websiteId);
    if (known === undefined) throw invalid('No customer of the website has the e-mail %1.', [email]);
    if (address) await addIfNew(em, known, address);
    return [];
  };
}

const literal = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

async function findCustomer(em: EntityManager, email: string, websiteId: number): Promise<number | undefined> {
  const known = await em.findOne(Customer, { email: { $ilike: literal(email) }, websiteId }, { fields: ['id'] });
  return known?.id;
}
