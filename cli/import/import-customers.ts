import type { EntityManager } from '@mikro-orm/postgresql';
import { customerPayload, toCustomerDraft } from '../../api/platform/customers/customer-payload.ts';
import { addIfNew } from '../../db/platform/customers/addresses.ts';
import { Customer, CustomerGroup } from '../../db/platform/customers/customer.entity.ts';
import { createCustomer, updateCustomer } from '../../db/platform/customers/customers.ts';
import { readStoreGroups, readStoreViews, readWebsites } from '../../db/platform/stores/read-stores.ts';
import { findWebsite } from '../../db/prices/load-contract-prices.ts';
import { joined, transact } from '../../db/support/transact.ts';
import { invalid } from '../../domain/errors.ts';
import { addressErrors, type AddressDraft, type CustomerDraft } from '../../domain/platform/customers.ts';
import { needsRegion, regionOf } from '../../domain/platform/directory.ts';
import { countryId, dayOf } from './attribute-cells.ts';
import { asSent, cell, wrongCell, type CsvRow, type ImportKind, type ImportOptions } from './read-rows.ts';
import { invalidInput } from '../../domain/refusals/platform.ts';

/** The columns of an address, by our names. */
const addressColumns = [
  ...['address_firstname', 'address_lastname', 'address_middlename', 'address_prefix', 'address_suffix'],
  ...['street', 'city', 'postcode', 'country', 'region', 'telephone', 'company', 'fax', 'vat_id'],
] as const;

const ownColumns: ReadonlySet<string> = new Set([
  ...['email', 'firstname', 'lastname', 'middlename', 'prefix', 'suffix', 'dob', 'gender', 'taxvat'],
  ...['group', 'group_id', 'website', 'store_view', 'disable_auto_group_change'],
  ...['default_billing', 'default_shipping'],
  ...addressColumns,
]);

/** How the platform's export of customers with their addresses calls them. */
const platformNames: Readonly<Record<string, string>> = {
  _website: 'website',
  _store: 'store_view',
  _address_firstname: 'address_firstname',
  _address_lastname: 'address_lastname',
  _address_middlename: 'address_middlename',
  _address_prefix: 'address_prefix',
  _address_suffix: 'address_suffix',
  _address_street: 'street',
  _address_city: 'city',
  _address_postcode: 'postcode',
  _address_country_id: 'country',
  _address_region: 'region',
  _address_telephone: 'telephone',
  _address_company: 'company',
  _address_fax: 'fax',
  _address_vat_id: 'vat_id',
  _address_default_billing_: 'default_billing',
  _address_default_shipping_: 'default_shipping',
  country_id: 'country',
};

/** In its export of addresses alone the names are those of the address. */
const namesOfAddresses: Readonly<Record<string, string>> = {
  ...platformNames,
  _email: 'email',
  firstname: 'address_firstname',
  lastname: 'address_lastname',
  middlename: 'address_middlename',
  prefix: 'address_prefix',
  suffix: 'address_suffix',
};

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

const leftOut: ReadonlyMap<string, string> = new Map(
  (
    [
      ['customers set a password of their own', 'password password_hash rp_token rp_token_created_at'],
      ['the shop keeps its own', 'created_at updated_at created_in store_id website_id _entity_id region_id'],
      ['accounts that are imported need not be confirmed', 'confirmation'],
      [
        'the shop keeps no such thing of a customer',
        `failures_num first_failure lock_expires reward_update_notification reward_warning_notification
         session_cutoff account_type vat_is_valid vat_request_date vat_request_id vat_request_success _address_region_id
         _address_vat_is_valid _address_vat_request_date _address_vat_request_id _address_vat_request_success`,
      ],
    ] as const
  ).flatMap(([why, columns]) => words(columns).map((column) => [column, why] as const)),
);

/** What the columns of a file of customers mean. */
export interface CustomerColumns {
  /** Our name by column. */
  names: ReadonlyMap<string, string>;
  leftOut: ReadonlyMap<string, string>;
  /** The rows are addresses of customers who are there. */
  areAddresses: boolean;
  /** A row without an e-mail is a further address of the customer before it. */
  goesOn: boolean;
}

/**
 * Finds out what the columns mean. Refused with 400: a column that has no meaning, unless it is of another system's
 * export; two columns of one meaning.
 */
function customerColumns(columns: readonly string[], isExport: boolean): CustomerColumns {
  const areAddresses = columns.includes('_email') && !columns.includes('email');
  const known = areAddresses ? namesOfAddresses : platformNames;
  const names = new Map<string, string>();
  const out = new Map<string, string>();
  for (const column of columns) {
    const name = known[column] ?? column;
    const why = leftOut.get(column) ?? (ownColumns.has(name) ? undefined : 'the column has no meaning here');
    if (why === undefined && [...names.values()].includes(name))
      throw invalid('Two columns mean the same: "%1".', [name]);
    if (why === undefined) names.set(column, name);
    else out.set(column, why);
  }
  const unknown = [...out.keys()].filter((column) => !leftOut.has(column));
  if (unknown.length > 0 && !isExport)
    throw invalid('A customer has no %1. Nothing was saved. Correct the column, or take it out.', [
      unknown.map((column) => `"${column}"`).join(', '),
    ]);
  return { names, leftOut: out, areAddresses, goesOn: columns.some((column) => column.startsWith('_address_')) };
}

/**
 * The address of a row, by the schema of its route; undefined: the row has none. Lines of a street stand below each
 * other in one cell. Refused with 400: an address that lacks something, a region that the country does not have.
 */
function addressOf(row: CsvRow): AddressDraft | undefined {
  if (addressColumns.every((column) => cell(row, column) === undefined)) return undefined;
  const country = cell(row, 'country');
  const id = country === undefined ? undefined : (countryId(country) ?? country);
  const region = cell(row, 'region');
  const found = regionOf(id, region ?? null);
  if (region !== undefined && id !== undefined && needsRegion(id) && found.regionId === null)
    throw invalid('%1 has no region "%2".', [id, region]);
  const address = {
    firstname: cell(row, 'address_firstname') ?? cell(row, 'firstname'),
    lastname: cell(row, 'address_lastname') ?? cell(row, 'lastname'),
    middlename: cell(row, 'address_middlename'),
    prefix: cell(row, 'address_prefix'),
    suffix: cell(row, 'address_suffix'),
    street: linesOf(row['street'] ?? ''),
    city: cell(row, 'city'),
    postcode: cell(row, 'postcode'),
    countryId: id,
    region: found.region ?? undefined,
    regionId: found.regionId ?? undefined,
    telephone: cell(row, 'telephone'),
    company: cell(row, 'company'),
    fax: cell(row, 'fax'),
    vatId: cell(row, 'vat_id'),
    defaultBilling: cell(row, 'default_billing'),
    defaultShipping: cell(row, 'default_shipping'),
  };
  const { addresses: [draft] = [] } = toCustomerDraft(asSent(customerPayload, { addresses: [address] }));
  const errors = addressErrors(draft ?? {});
  if (errors.length > 0) throw invalidInput(errors);
  return draft;
}

const linesOf = (street: string) =>
  street
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * Imports customers by email and website, by the schema of their route; without `website` it is the default one. Empty
 * cells change nothing for a known customer. An address is added unless the customer has the same, so a repeat adds no
 * second one. Customers get no password; they can request one. Columns have our names or those of the platform's
 * export.
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
      begin: () => void (before = {}),
      read(row) {
        const input: CsvRow = Object.fromEntries([...names].map(([column, name]) => [name, row[column] ?? '']));
        const isFurther = goesOn && input['email'] === '' && before['email'] !== undefined;
        const own = isFurther ? { ...input, email: before['email'] ?? '', website: before['website'] ?? '' } : input;
        if (!isFurther) before = own;
        const websiteId = places.websiteId(cell(own, 'website'));
        const email = (own['email'] ?? '').toLowerCase();
        return {
          key: `${websiteId} ${email}`,
          claim: areAddresses || isFurther ? undefined : nameOf(own),
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
  const websites = (await readWebsites(em)).filter(({ websiteId: id }) => id > 0);
  const [views, storeGroups] = [await readStoreViews(em), await readStoreGroups(em)];
  const groups = await em.find(CustomerGroup, {});
  return {
    websiteId(code) {
      if (code === undefined) return standard.websiteId;
      const found = websites.find((website) => website.code === code);
      if (!found) throw invalid('No website has the code %1.', [code]);
      return found.websiteId;
    },
    viewOf(websiteId, code) {
      // The platform's export names the view above all others.
      if (code !== undefined && code !== 'admin') {
        const view = views.find((one) => one.code === code && one.websiteId === websiteId);
        if (!view) throw invalid('No store view of the website has the code %1.', [code]);
        return view.storeId;
      }
      const groupId = websites.find(({ websiteId: id }) => id === websiteId)?.defaultGroupId;
      return storeGroups.find(({ groupId: id }) => id === groupId)?.defaultStoreId ?? 0;
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

/** Two rows with one e-mail and two names are two people. */
const nameOf = (row: CsvRow) =>
  ['firstname', 'middlename', 'lastname'].flatMap((name) => cell(row, name)?.toLowerCase() ?? []).join(' ') ||
  undefined;

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
function saver(row: CsvRow, context: { websiteId: number; places: Places; options: ImportOptions }) {
  const { websiteId, places } = context;
  const draft = { ...draftOf(row, context), websiteId };
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
  const isAnswered = address.isDefaultBilling !== undefined || address.isDefaultShipping !== undefined;
  return isAnswered ? address : { ...address, isDefaultBilling: true, isDefaultShipping: true };
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
