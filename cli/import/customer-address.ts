import { customerPayload, toCustomerDraft } from '../../api/platform/customers/customer-payload.ts';
import { invalid, invalidInput } from '../../domain/errors.ts';
import type { AddressDraft } from '../../domain/platform/customers/customer-draft.ts';
import { addressErrors } from '../../domain/platform/customers/customer-errors.ts';
import { needsRegion } from '../../domain/platform/directory/countries.ts';
import { regionOf } from '../../domain/platform/directory/region-codes.ts';
import { countryId } from './attribute-cells.ts';
import { addressColumns } from './customer-columns.ts';
import { asSent, cell, type CsvRow } from './import-kind.ts';

/**
 * The address of a row, by the schema of its route; undefined: the row has none. Lines of a street stand below each other
 * in one cell. Refused with 400: an address that lacks something, a region that the country does not have.
 */
export function addressOf(row: CsvRow): AddressDraft | undefined {
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
