import { groupLimits } from '../credit-limits/group-limits.ts';
import { guestCartPath } from '../platform/carts/guest-cart-days.ts';
import { findCountry } from '../platform/directory/countries.ts';
import { codeLabels } from '../code-labels.ts';
import { oneTimeCodePaths } from '../self-checkout/one-time-code.ts';
import { builtInSetting } from './built-in-setting.ts';

/** A rule for the values of a setting. */
interface Rule {
  fits: (value: string) => boolean;
  /** The end of a sentence that begins with "takes". */
  allowed: string;
}

const endless = 1_000_000_000;

/** The empty text is read as zero, here and on the platform. */
function between(least: number, most: number, { isWhole }: { isWhole: boolean }): Rule {
  const pattern = isWhole ? /^\d*$/ : /^\d*(?:\.\d+)?$/;
  const bounds = most === endless ? `of ${least} or more` : `from ${least} to ${most}`;
  return {
    fits: (value) => pattern.test(value.trim()) && Number(value) >= least && Number(value) <= most,
    allowed: `a ${isWhole ? 'whole ' : ''}number ${bounds}`,
  };
}

const whole = (least: number, most = endless) => between(least, most, { isWhole: true });
const decimal = (least: number, most = endless) => between(least, most, { isWhole: false });
const oneOf = (...words: string[]): Rule => ({
  fits: (value) => words.includes(value),
  allowed: words.join(', ').replace(/, ([^,]*)$/, ' or $1'),
});
const flag: Rule = {
  fits: (value) => /^(?:|0|1|true|false)$/.test(value.trim()),
  allowed: '1 for yes or 0 for no',
};
const country: Rule = {
  fits: (value) => value === '' || findCountry(value) !== undefined,
  allowed: 'the two capital letters of a country',
};

/** A number of days that cannot be read would count as no window at all. */
const periods: Rule = {
  fits: (value) =>
    codeLabels(value).every(({ code, label }) => code !== '' && code !== label && /^\d{1,9}$/.test(label)),
  allowed: 'resolutions with their whole days, such as Refund:14,Exchange:60',
};
/** Windows have a setting of their own. */
const names: Rule = {
  fits: (value) => !value.includes(':'),
  allowed: 'resolutions by name, such as Refund,Exchange',
};

const limitsOfGroups: Rule = {
  fits: (value) => groupLimits(value) !== undefined,
  allowed: 'customer groups by id with their limits, such as 2:5000,3:1000',
};

/** The logo is named by its digest, which people never type. */
const logo: Rule = {
  fits: (value) => /^(?:[0-9a-f]{64})?$/.test(value.trim()),
  allowed: 'what npm run pos -- receipt logo FILE gives it',
};

const rules: Readonly<Record<string, Rule>> = {
  'vendor_pos_terminal/payments/cash_rounding_increment': decimal(0),
  'vendor_pos_terminal/stock/low_stock_threshold': whole(0),
  'vendor_pos_terminal/receipt/logo_size': whole(0),
  'vendor_pos_terminal/receipt/logo': logo,
  'vendor_pos_terminal/layaway/deposit_min_percent': decimal(0, 100),
  'vendor_pos_terminal/layaway/expiry_days': whole(0),
  'vendor_pos_terminal/layaway/cancellation_fee_percent': decimal(0, 100),
  'vendor_pos_terminal/credits/allow_store_credit': whole(0),
  'vendor_pos_terminal/customers/customer_prices': oneOf('off', 'cart', 'browsing'),
  'vendor_pos_terminal/customers/walk_in_region_id': whole(0),
  'vendor_pos_terminal/customers/walk_in_country_id': country,
  'vendor_reward_points/earning/points_per_currency_unit': decimal(0),
  'vendor_reward_points/spending/currency_per_point': decimal(0),
  'vendor_reward_points/spending/granularity': whole(1),
  'vendor_reward_points/spending/minimum_points': whole(0),
  'vendor_reward_points/spending/applies_as': oneOf('tender', 'discount'),
  'vendor_pos_advanced/credit_limits/groups': limitsOfGroups,
  'vendor_pos_advanced/returns/period_days': whole(0),
  'vendor_pos_advanced/returns/resolutions': names,
  'vendor_pos_advanced/returns/resolution_periods': periods,
  'vendor_pos_advanced/returns/final_sale_percent': decimal(0, 100),
  'vendor_pos_advanced/customers/minimum_age': whole(0, 150),
  'vendor_pos_advanced/telemetry/upload_hour': whole(0, 23),
  'vendor_pos_advanced/telemetry/retention_days': whole(1, 3_650),
  'vendor_cms/versions/kept': whole(1, 10_000),
  [guestCartPath]: whole(1, 3_650),
  // A value out of bounds counts as the nearest bound.
  ...Object.fromEntries(oneTimeCodePaths.map((path) => [path, whole(0)])),
  'tax/calculation/algorithm': oneOf('UNIT_BASE_CALCULATION', 'ROW_BASE_CALCULATION', 'TOTAL_BASE_CALCULATION'),
  'tax/display/type': whole(1, 3),
  'tax/cart_display/price': whole(1, 3),
  'tax/cart_display/subtotal': whole(1, 3),
  'tax/weee/display_sales': whole(0, 3),
  'tax/weee/display': whole(0, 3),
  'tax/weee/display_list': whole(0, 3),
  'general/store_information/country_id': country,
  'general/store_information/region_id': whole(0),
  'carriers/flatrate/price': decimal(0),
  'carriers/flatrate/type': oneOf('I', 'O'),
  'carriers/freeshipping/free_shipping_subtotal': decimal(0),
  'carriers/instore/price': decimal(0),
  'cataloginventory/item_options/backorders': oneOf('0', '1', '2'),
  'cataloginventory/item_options/min_sale_qty': decimal(0, 99_999_999),
  'cataloginventory/item_options/max_sale_qty': decimal(0, 99_999_999),
  'cataloginventory/item_options/qty_increments': decimal(0, 99_999_999),
};

/** Every other setting whose default is 1 or 0 is a yes or a no. */
const isFlag = (path: string) => ['0', '1'].includes(builtInSetting(path) ?? '');

const ruleOf = (path: string) => (Object.hasOwn(rules, path) ? rules[path] : isFlag(path) ? flag : undefined);

/**
 * The values that a setting takes, in words; undefined where this value is one of them, or where the setting takes
 * any text.
 */
export function allowedInstead(path: string, value: string): string | undefined {
  const rule = ruleOf(path);
  return rule === undefined || rule.fits(value) ? undefined : rule.allowed;
}
