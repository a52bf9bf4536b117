import { parseUnits, unitsPerWhole } from '../domain/money.ts';
import { postcodesOf, taxOf, zipNumberOf, type TaxPlaceRate } from '../domain/platform/carts/cart-totals.ts';
import type { Client } from './client.ts';
import { criteria } from './criteria.ts';
import type { Done, Result } from './results.ts';
import type { Place } from './sale.ts';
import { fromJsonText, type Shape } from './shapes.ts';

/**
 * All that decides how a register sells. Store it as it is: a register that starts without a line sells from it. Read
 * it again when the heartbeat's `config_hash` is another one.
 */
export interface Configuration {
  terminal: Shape<'TerminalConfig'>;
  /** The store view of the location, or the first one of its website. */
  storeId: number;
  currency: { currency: string; baseCurrency: string; rate: string };
  /** The rates at the location for a guest. */
  taxes: readonly TaxPlaceRate[];
}

type NotDone = Exclude<Result<unknown>, Done<unknown>>;

/**
 * Reads it: the terminal's settings, its store view with the currency, and the tax rates of its location. The token
 * needs what a register's token has, `Platform_Backend::store`, `Platform_Tax::manage_tax` and
 * `Platform_Customer::group` among it.
 *
 * @returns the first answer that is not `done`, where one is
 */
export async function readConfiguration(
  client: Client,
  terminalId: number,
): Promise<{ kind: 'done'; value: Configuration } | NotDone> {
  const text = await client.get('/V1/pos/terminals/{terminalId}/config', { path: { terminalId } });
  if (text.kind !== 'done') return text;
  const terminal = fromJsonText(text.value);
  const location = locationOf(terminal);
  const view = await findStoreView(client, location);
  if (view.kind !== 'done') return view;
  const { id: storeId, code } = view.value;
  // The path of a store view is that of the route, below the view's code.
  const path = `/${encodeURIComponent(code)}/V1/directory/currency` as '/V1/directory/currency';
  const money = await client.get(path, {});
  if (money.kind !== 'done') return money;
  const taxes = await readTaxes(client, location);
  if (taxes.kind !== 'done') return taxes;
  const { base_currency_code: baseCurrency, default_display_currency_code: currency, exchange_rates } = money.value;
  const rate = exchange_rates.find((one) => one.currency_to === currency)?.rate;
  if (rate === undefined) throw new RangeError(`The store view ${code} has no rate for ${currency}.`);
  const value = { terminal, storeId, currency: { currency, baseCurrency, rate: String(rate) }, taxes: taxes.value };
  return { kind: 'done', value };
}

/**
 * Where and by whom is sold: by the terminal's location and the cashier who signed in.
 *
 * Throws a RangeError where the terminal has no location: it must not sell.
 */
export function placeOf(configuration: Configuration, session: Shape<'StaffSession'>): Place {
  const { terminal, storeId, currency, taxes } = configuration;
  const location = locationOf(terminal);
  const { walk_in_customer: guest, tax } = terminal.config;
  return {
    terminalId: terminal.terminal.terminal_id,
    locationId: location.location_id,
    staffId: session.staff_id,
    staffName: `${session.staff.first_name} ${session.staff.last_name}`.trim(),
    storeId,
    money: {
      ...currency,
      pricesIncludeTax: tax.price_includes_tax,
      taxesWholePrice: !tax.apply_after_discount,
      taxesFixedTaxes: tax.weee.apply_vat,
    },
    address: {
      street: (location.street ?? guest.street).split('\n'),
      city: location.city ?? guest.city,
      postcode: location.postcode ?? guest.postcode,
      countryId: location.country_id ?? guest.country_id,
      telephone: location.phone ?? guest.phone,
      ...(guest.first_name === '' ? {} : { firstname: guest.first_name }),
      ...(guest.last_name === '' ? {} : { lastname: guest.last_name }),
    },
    ...(guest.email === '' ? {} : { guestEmail: guest.email }),
    taxes,
  };
}

/** The percentage on goods of a tax class here, for a guest: 0 where no rule is for the class. */
export const taxPercentOf = ({ taxes = [] }: Pick<Place, 'taxes'>, taxClassId: number): number =>
  (taxOf(taxes, taxClassId)?.percent ?? 0) / unitsPerWhole;

type Location = Shape<'RegisterLocation'>;

function locationOf({ location }: Shape<'TerminalConfig'>): Location {
  if (!location) throw new RangeError('The terminal has no location.');
  return location;
}

async function findStoreView(client: Client, { store_view_id: viewId, website_id: websiteId }: Location) {
  const views = await client.get('/V1/store/storeConfigs', {});
  if (views.kind !== 'done') return views;
  const [websites, groups] = [
    await client.get('/V1/store/websites', {}),
    await client.get('/V1/store/storeGroups', {}),
  ];
  if (websites.kind !== 'done') return websites;
  if (groups.kind !== 'done') return groups;
  const groupId = websites.value.find(({ id }) => id === websiteId)?.default_group_id;
  const usualId = groups.value.find(({ id }) => id === groupId)?.default_store_id;
  const ofWebsite = views.value.filter((view) => view.website_id === websiteId);
  const view = ofWebsite.find(({ id }) => id === (viewId ?? usualId)) ?? (viewId === null ? ofWebsite[0] : undefined);
  if (!view) throw new RangeError('The location has no store view.');
  return { kind: 'done' as const, value: view };
}

/** The group of customers without an account. */
const guests = 0;
const pageSize = 200;
/** More rates than one country has. */
const maxPages = 100;

async function readTaxes(client: Client, location: Location) {
  const group = await client.get('/V1/customerGroups/{id}', { path: { id: guests } });
  if (group.kind !== 'done') return group;
  const ofCountry = criteria().where('tax_country_id', location.country_id ?? '');
  const rates = await readPages((page) => client.get('/V1/taxRates/search', { query: page(ofCountry) }));
  if (rates.kind !== 'done') return rates;
  const rules = await readPages((page) => client.get('/V1/taxRules/search', { query: page(criteria()) }));
  if (rules.kind !== 'done') return rules;
  const here = rates.value.filter((rate) => isHere(rate, location));
  const value = rules.value
    .filter((rule) => rule.customer_tax_class_ids.includes(group.value.tax_class_id))
    .flatMap((rule) =>
      here
        .filter(({ id }) => rule.tax_rate_ids.includes(id))
        .map((rate): TaxPlaceRate => ({
          ...{ ruleId: rule.id, priority: rule.priority, calculateSubtotal: rule.calculate_subtotal },
          ...{ productTaxClassIds: rule.product_tax_class_ids, code: rate.code, regionId: rate.tax_region_id },
          ...{ postcode: rate.tax_postcode ?? '*', percent: parseUnits(String(rate.rate)) ?? 0 },
        })),
    );
  return { kind: 'done' as const, value };
}

function isHere(rate: Shape<'TaxRate'>, { region_id: regionId, postcode }: Location): boolean {
  if (rate.tax_region_id !== 0 && rate.tax_region_id !== regionId) return false;
  if (postcodesOf(postcode).includes(rate.tax_postcode ?? '*')) return true;
  const zip = zipNumberOf(postcode);
  return zip !== null && rate.zip_from !== undefined && zip >= rate.zip_from && zip <= (rate.zip_to ?? zip);
}

type Criteria = ReturnType<typeof criteria>;

async function readPages<Item>(
  read: (
    page: (of: Criteria) => ReturnType<Criteria['query']>,
  ) => Promise<Result<{ items: Item[]; total_count: number }>>,
) {
  const items: Item[] = [];
  for (let current = 1; current <= maxPages; current++) {
    const found = await read((of) => of.page(pageSize, current).query());
    if (found.kind !== 'done') return found as NotDone;
    items.push(...found.value.items);
    if (items.length >= found.value.total_count || found.value.items.length === 0) break;
  }
  return { kind: 'done' as const, value: items };
}
