import { z } from 'zod';
import type { LocationRow } from '../../../db/locations/location.repository.ts';
import { renderMoment } from './render-terminal.ts';

const text = z.string().nullable();

const whole = z.int().nullable();

/** A location (spec 2.3). Null in an override field: it inherits the shop's setting. */
export const locationAnswer = z
  .object({
    location_id: z.int(),
    name: z.string(),
    code: z.string(),
    street: text,
    city: text,
    region: text,
    region_id: whole,
    postcode: text,
    country_id: text,
    phone: text,
    vat_number: text,
    website_id: z.int(),
    store_view_id: whole,
    source_code: text,
    damaged_stock_source_code: text,
    is_active: z.boolean(),
    payment_methods: text,
    card_payment_provider: text,
    allow_store_credit: whole,
    low_stock_threshold: whole,
    use_msi: z.boolean().nullable(),
    tax_use_address: z.boolean(),
    address_use_storeview: z.boolean(),
    receipt_header: text,
    receipt_footer: text,
    receipt_show_staff_name: z.boolean().nullable(),
    receipt_show_order_number: z.boolean().nullable(),
    receipt_logo_size: whole,
    receipt_store_info_placement: text,
    staff_name_format: text,
    pickup_completed_status_code: text,
    layaway_deposit_min_percent: z.number().nullable(),
    layaway_expiry_days: whole,
    layaway_cancellation_fee_percent: z.number().nullable(),
    customer_validators: text,
    config_overrides: z.record(z.string(), z.unknown()).optional(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Location' });

export type LocationAnswer = z.input<typeof locationAnswer>;

/** Only callers who manage locations get `config_overrides`: registers get their result, in the resolved config. */
export const renderLocation = (
  row: LocationRow,
  { showsOverrides }: { showsOverrides: boolean } = { showsOverrides: false },
): LocationAnswer => ({
  location_id: row.location_id,
  name: row.name,
  code: row.code,
  street: row.street,
  city: row.city,
  region: row.region,
  region_id: row.region_id,
  postcode: row.postcode,
  country_id: row.country_id,
  phone: row.phone,
  vat_number: row.vat_number,
  website_id: row.website_id,
  store_view_id: row.store_view_id,
  source_code: row.source_code,
  damaged_stock_source_code: row.damaged_stock_source_code,
  is_active: row.is_active,
  payment_methods: row.payment_methods,
  card_payment_provider: row.card_payment_provider,
  allow_store_credit: row.allow_store_credit,
  low_stock_threshold: row.low_stock_threshold,
  use_msi: row.use_msi,
  tax_use_address: row.tax_use_address,
  address_use_storeview: row.address_use_storeview,
  receipt_header: row.receipt_header,
  receipt_footer: row.receipt_footer,
  receipt_show_staff_name: row.receipt_show_staff_name,
  receipt_show_order_number: row.receipt_show_order_number,
  receipt_logo_size: row.receipt_logo_size,
  receipt_store_info_placement: row.receipt_store_info_placement,
  staff_name_format: row.staff_name_format,
  pickup_completed_status_code: row.pickup_completed_status_code,
  layaway_deposit_min_percent: numberOf(row.layaway_deposit_min_percent),
  layaway_expiry_days: row.layaway_expiry_days,
  layaway_cancellation_fee_percent: numberOf(row.layaway_cancellation_fee_percent),
  customer_validators: row.customer_validators,
  ...(showsOverrides ? { config_overrides: row.config_overrides } : {}),
  created_at: renderMoment(row.created_at),
  updated_at: renderMoment(row.updated_at),
});

const numberOf = (decimal: string | null) => (decimal === null ? null : Number(decimal));
