import { invalid } from '../../domain/errors.ts';

/** The columns of an address, by our names. */
export const addressColumns = [
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
export function customerColumns(columns: readonly string[], isExport: boolean): CustomerColumns {
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
