import { z } from 'zod';
import type { LocationRow } from '../../../db/locations/location.repository.ts';
import { fieldsOf, flag, integer, keptAs, moment, orNull, percent, reference, setByServer, text } from '../fields.ts';

const short = orNull(text());
/** Header and footer are a few lines of a receipt, not a document. */
const long = orNull(text(10_000));
const whole = orNull(integer());
const yesNo = orNull(flag());
const share = orNull(percent());
/** An empty code counts as none. */
const code = keptAs(orNull(text(64)), (sent) => (sent === '' ? null : sent));
const trimmed = (most: number) => keptAs(text(most), (sent) => sent.trim());
const overrides = z.record(z.string(), z.unknown());

/** The fields of a location (spec 2.3). Null in an override field: it inherits the shop's setting. */
export const locationFields = fieldsOf(
  {
    location_id: setByServer(z.int()),
    name: trimmed(255),
    code: trimmed(64),
    street: short,
    city: short,
    region: short,
    region_id: whole,
    postcode: short,
    country_id: keptAs(orNull(text(2)), (sent) => sent?.toUpperCase() || null),
    phone: short,
    vat_number: short,
    website_id: reference(),
    store_view_id: whole,
    source_code: code,
    damaged_stock_source_code: code,
    is_active: flag(),
    time_zone: code,
    payment_methods: long,
    card_payment_provider: short,
    allow_store_credit: whole,
    low_stock_threshold: whole,
    use_msi: yesNo,
    tax_use_address: flag(),
    address_use_storeview: flag(),
    receipt_header: long,
    receipt_footer: long,
    receipt_show_staff_name: yesNo,
    receipt_show_order_number: yesNo,
    receipt_logo_size: whole,
    receipt_store_info_placement: short,
    staff_name_format: orNull(text(32)),
    pickup_completed_status_code: short,
    layaway_deposit_min_percent: share,
    layaway_expiry_days: whole,
    layaway_cancellation_fee_percent: share,
    customer_validators: long,
    config_overrides: { sent: overrides, answer: overrides.optional() },
    created_at: moment(),
    updated_at: moment(),
  },
  'Location',
);

export const locationAnswer = locationFields.answer;
export type LocationAnswer = z.input<typeof locationAnswer>;

/** Only callers who manage locations get `config_overrides`: registers get their result, in the resolved config. */
export function renderLocation(
  row: LocationRow,
  { showsOverrides }: { showsOverrides: boolean } = { showsOverrides: false },
): LocationAnswer {
  const { config_overrides: own, ...location } = locationFields.render(row);
  return showsOverrides ? { ...location, config_overrides: own } : location;
}
