import { z } from 'zod';
import type { LocationRow } from '../../../db/locations/location.repository.ts';
import type { RoleRow, StaffRow } from '../../../db/staff/staff.repository.ts';
import { toWire } from '../../../domain/money.ts';
import type { CreditBalance } from '../../../providers/credits/credit-provider.ts';
import { permissionsInside } from '../json-inside.ts';
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

/** A member of staff (spec 2.5): never the passcode, never its hash. */
export const staffAnswer = z
  .object({
    staff_id: z.int(),
    staff_code: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    passcode_updated_at: z.string(),
    role_id: z.int(),
    all_locations: z.boolean(),
    is_active: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'StaffMember' });

/** A role (spec 2.6); `permissions` is a JSON text of boolean keys. */
export const roleAnswer = z
  .object({
    role_id: z.int(),
    name: z.string(),
    permissions: z.string().meta(permissionsInside),
    is_active: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Role' });

export const renderStaff = (row: StaffRow): z.input<typeof staffAnswer> => ({
  staff_id: row.staff_id,
  staff_code: row.staff_code,
  first_name: row.first_name,
  last_name: row.last_name,
  email: row.email,
  passcode_updated_at: renderMoment(row.passcode_updated_at),
  role_id: row.role_id,
  all_locations: row.all_locations,
  is_active: row.is_active,
  created_at: renderMoment(row.created_at),
  updated_at: renderMoment(row.updated_at),
});

export const renderRole = (row: RoleRow): z.input<typeof roleAnswer> => ({
  role_id: row.role_id,
  name: row.name,
  permissions: row.permissions,
  is_active: row.is_active,
  created_at: renderMoment(row.created_at),
  updated_at: renderMoment(row.updated_at),
});

/** A balance at one provider (spec 2.10). Points go by their other name here, as the interface has it. */
export const creditBalanceAnswer = z
  .object({
    type: z.enum(['store_credit', 'gift_card', 'loyalty_points']),
    provider: z.string(),
    label: z.string(),
    balance: z.number(),
    currency: z.string().nullable(),
    code: z.string().nullable(),
    is_redeemable: z.boolean(),
    currency_value: z.number().nullable(),
    points_per_currency: z.number().nullable(),
    expires_at: z.string().nullable(),
    details: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'CreditBalance' });

export const renderCreditBalance = (balance: CreditBalance): z.input<typeof creditBalanceAnswer> => ({
  type: balance.kind === 'reward_points' ? 'loyalty_points' : balance.kind,
  provider: balance.providerCode,
  label: balance.label,
  balance: balance.points ?? (balance.money === null ? 0 : toWire(balance.money)),
  currency: balance.currencyCode,
  code: balance.code,
  is_redeemable: balance.isRedeemable,
  currency_value: balance.currencyValue === null ? null : toWire(balance.currencyValue),
  points_per_currency: balance.pointsPerCurrency,
  expires_at: renderMoment(balance.expiresAt),
  details: balance.details,
});
