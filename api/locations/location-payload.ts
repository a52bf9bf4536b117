import { z } from 'zod';
import type { LocationWish } from '../../db/locations/save-location.ts';
import { flag, integer, payload, percent, text } from '../wire/schemas.ts';

/** Header and footer are a receipt's few lines, not a document. */
const lines = text(10_000).nullable().optional();
const line = text(255).nullable().optional();
const code = text(64).nullable().optional();
const whole = integer.nullable().optional();
const percentage = percent.nullable().optional();
const override = flag.nullable().optional();

/**
 * The fields of a location that an administrator sends (spec 2.3). Fields that the server sets are accepted and
 * ignored, so that an answer can be sent back.
 */
export const locationPayload = payload({
  name: text(255).optional(),
  code: text(64).optional(),
  street: line,
  city: line,
  region: line,
  region_id: whole,
  postcode: line,
  country_id: text(2).nullable().optional(),
  phone: line,
  vat_number: line,
  website_id: integer.optional(),
  store_view_id: whole,
  source_code: code,
  damaged_stock_source_code: code,
  is_active: flag.optional(),
  payment_methods: lines,
  card_payment_provider: line,
  allow_store_credit: whole,
  low_stock_threshold: whole,
  use_msi: override,
  tax_use_address: flag.optional(),
  address_use_storeview: flag.optional(),
  receipt_header: lines,
  receipt_footer: lines,
  receipt_show_staff_name: override,
  receipt_show_order_number: override,
  receipt_logo_size: whole,
  receipt_store_info_placement: line,
  staff_name_format: text(32).nullable().optional(),
  pickup_completed_status_code: line,
  layaway_deposit_min_percent: percentage,
  layaway_expiry_days: whole,
  layaway_cancellation_fee_percent: percentage,
  customer_validators: lines,
  config_overrides: z.record(z.string(), z.unknown()).optional(),
  location_id: z.unknown().optional(),
  created_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
}).meta({ id: 'Location' });

export const locationWish = (given: z.output<typeof locationPayload>): LocationWish => ({
  name: given.name?.trim(),
  code: given.code?.trim(),
  street: given.street,
  city: given.city,
  region: given.region,
  regionId: given.region_id,
  postcode: given.postcode,
  countryId: noneOf(inCapitals(given.country_id)),
  phone: given.phone,
  vatNumber: given.vat_number,
  websiteId: given.website_id,
  storeViewId: given.store_view_id,
  sourceCode: noneOf(given.source_code),
  damagedStockSourceCode: noneOf(given.damaged_stock_source_code),
  isActive: given.is_active,
  paymentMethods: given.payment_methods,
  cardPaymentProvider: given.card_payment_provider,
  allowStoreCredit: given.allow_store_credit,
  lowStockThreshold: given.low_stock_threshold,
  useMsi: given.use_msi,
  taxUseAddress: given.tax_use_address,
  addressUseStoreview: given.address_use_storeview,
  receiptHeader: given.receipt_header,
  receiptFooter: given.receipt_footer,
  receiptShowStaffName: given.receipt_show_staff_name,
  receiptShowOrderNumber: given.receipt_show_order_number,
  receiptLogoSize: given.receipt_logo_size,
  receiptStoreInfoPlacement: given.receipt_store_info_placement,
  staffNameFormat: given.staff_name_format,
  pickupCompletedStatusCode: given.pickup_completed_status_code,
  layawayDepositMinPercent: given.layaway_deposit_min_percent,
  layawayExpiryDays: given.layaway_expiry_days,
  layawayCancellationFeePercent: given.layaway_cancellation_fee_percent,
  customerValidators: given.customer_validators,
  configOverrides: given.config_overrides,
});

const inCapitals = (given: string | null | undefined) => (given === null ? null : given?.toUpperCase());

/** An empty code counts as none. */
const noneOf = (given: string | null | undefined) => (given === '' ? null : given);
