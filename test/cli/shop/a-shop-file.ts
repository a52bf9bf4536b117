import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** A small shop that can sell, as a file would say it. */
export const lanterns = () => ({
  websites: [
    {
      code: 'base',
      name: 'Main Website',
      baseCurrencyCode: 'USD',
      timeZone: 'America/New_York',
      isDefault: true,
      groups: [
        {
          code: 'main',
          name: 'Main Store',
          views: [
            { code: 'default', name: 'Default', currencyCode: 'USD', locale: 'en_US' },
            { code: 'ca', name: 'Canada', currencyCode: 'CAD', currencyRate: 1.36, locale: 'en_CA' },
          ],
        },
      ],
    },
  ],
  sources: [
    { code: 'high_street', name: 'High Street', countryId: 'US', region: 'NY', city: 'Troy', postcode: '12180' },
    { code: 'cellar', name: 'Cellar', countryId: 'US', region: 'NY', postcode: '12180' },
  ],
  stocks: [{ name: 'Main stock', websites: ['base'], sources: ['high_street', 'cellar'] }],
  taxRates: [{ code: 'US-NY-8', countryId: 'US', region: 'NY', taxClassId: 2, percent: 8 }],
  customerGroups: [
    { code: 'NOT LOGGED IN' },
    { code: 'General' },
    { code: 'Wholesale' },
    { code: 'Retailer' },
    { code: 'Trade', taxClassId: 3 },
  ],
  settings: {
    default: { 'payment/cashondelivery/active': true, 'general/store_information/name': 'Paper Lantern' },
    websites: { base: { 'tax/calculation/price_includes_tax': 0 } },
    storeViews: { ca: { 'vendor_pos_terminal/stock/low_stock_threshold': 3 } },
  },
  roles: [{ name: 'Cashier', permissions: ['place_orders', 'accept_cash'] }],
  locations: [
    {
      code: 'high-street',
      name: 'High Street',
      website: 'base',
      storeView: 'default',
      source: 'high_street',
      damagedSource: 'cellar',
      countryId: 'US',
      region: 'NY',
      terminals: [{ name: 'Till 1' }, { name: 'Till 2' }],
    },
  ],
  administrators: [{ username: 'ada', email: 'ada@example.com', resources: ['Platform_Backend::all'] }],
});

export type Lanterns = ReturnType<typeof lanterns>;

const folder = mkdtempSync(join(tmpdir(), 'pos-shop-file-'));
let written = 0;

/** The path of a file with this shop. */
export function fileWith(shop: unknown): string {
  const file = join(folder, `${++written}.yaml`);
  writeFileSync(file, typeof shop === 'string' ? shop : stringify(shop));
  return file;
}
