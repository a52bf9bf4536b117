import { surely, text } from '../../db/support/kinds.ts';
import { statement } from '../../db/support/statement.ts';
import { ok, warning, type Check, type DoctorContext } from './check.ts';

/** Settings that name records, one or several with commas between; a limit of a group is `2:5000`. */
const records = {
  'vendor_pos_terminal/catalog/categories': 'select entity_id::text from category',
  'vendor_pos_terminal/catalog/custom_sale_sku': 'select lower(sku) from product',
  'vendor_pos_terminal/credits/excluded_skus': 'select lower(sku) from product',
  'vendor_pos_terminal/orders/default_status': 'select status from sales_order_status',
  'vendor_pos_terminal/pickup/completed_status_code': 'select status from sales_order_status',
  'vendor_pos_advanced/credit_limits/groups': 'select id::text from customer_group',
  'customer/create_account/default_group': 'select id::text from customer_group',
} as const;

/** More are shown by `config get`. */
const mostShown = 20;

/** Settings that name a category, a product, a status or a group that is not there: they do nothing, without a word. */
export async function checkSettings({ em: connect }: DoctorContext): Promise<Check[]> {
  try {
    const found = await missing.all(await connect());
    if (found.length === 0) return [ok('named records', 'what settings name is there')];
    return found.map(({ path, name }) =>
      warning(
        'settings',
        `${path} names ${JSON.stringify(name)}, which is not there`,
        `npm run pos -- config set ${path} …`,
      ),
    );
  } catch {
    // Without a database there is nothing to report here; the database's own line gives the reason.
    return [];
  }
}

const missing = statement({
  takes: {},
  gives: { path: surely(text), name: surely(text) },
  text: `
    with named as (
      select distinct path, split_part(trim(n), ':', 1) as name
      from config_value, unnest(string_to_array(value, ',')) as n
      where not is_encrypted and trim(n) <> '')
    ${Object.entries(records)
      .map(([path, known]) => `select path, name from named where path = '${path}' and lower(name) not in (${known})`)
      .join(' union all ')}
    order by path, name limit ${mostShown}`,
});
