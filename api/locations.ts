import { z } from 'zod';
import { findLocationByCode } from '../db/locations/read-locations.ts';
import { locations } from '../db/locations/locations.ts';
import { locationNotDeleted, locationNotSaved, noLocationWithCode } from '../domain/refusals/register.ts';
import { resource } from './http/resource.ts';
import { route, type AnyRoute } from './http/route.ts';
import { unknownLocation } from './wire/outcomes.ts';
import { locationAnswer, renderLocation } from './wire/register/render-location.ts';
import { flag, integer, payload, percent, recordId, text } from './wire/schemas.ts';

/** Header and footer are a few lines of a receipt, not a document. */
const longText = text(10_000).nullable().optional();
const shortText = text(255).nullable().optional();
const code = text(64).nullable().optional();
const wholeNumber = integer.nullable().optional();
const percentage = percent.nullable().optional();
const flagOrNull = flag.nullable().optional();

const location = resource({
  records: locations,
  acl: 'Vendor_Pos::locations',
  changesNeed: 'Vendor_Pos::locations_manage',
  unknown: unknownLocation,
  body: 'location',
  /** Fields that the server sets are accepted and ignored, so that an answer can be sent back (spec 2.3). */
  sent: payload({
    name: text(255).optional(),
    code: text(64).optional(),
    street: shortText,
    city: shortText,
    region: shortText,
    region_id: wholeNumber,
    postcode: shortText,
    country_id: text(2).nullable().optional(),
    phone: shortText,
    vat_number: shortText,
    website_id: recordId.optional(),
    store_view_id: wholeNumber,
    source_code: code,
    damaged_stock_source_code: code,
    is_active: flag.optional(),
    payment_methods: longText,
    card_payment_provider: shortText,
    allow_store_credit: wholeNumber,
    low_stock_threshold: wholeNumber,
    use_msi: flagOrNull,
    tax_use_address: flag.optional(),
    address_use_storeview: flag.optional(),
    receipt_header: longText,
    receipt_footer: longText,
    receipt_show_staff_name: flagOrNull,
    receipt_show_order_number: flagOrNull,
    receipt_logo_size: wholeNumber,
    receipt_store_info_placement: shortText,
    staff_name_format: text(32).nullable().optional(),
    pickup_completed_status_code: shortText,
    layaway_deposit_min_percent: percentage,
    layaway_expiry_days: wholeNumber,
    layaway_cancellation_fee_percent: percentage,
    customer_validators: longText,
    config_overrides: z.record(z.string(), z.unknown()).optional(),
    location_id: z.unknown().optional(),
    created_at: z.unknown().optional(),
    updated_at: z.unknown().optional(),
  }).meta({ id: 'Location' }),
  draft: (input) => ({
    name: input.name?.trim(),
    code: input.code?.trim(),
    street: input.street,
    city: input.city,
    region: input.region,
    regionId: input.region_id,
    postcode: input.postcode,
    countryId: emptyAsNull(inCapitals(input.country_id)),
    phone: input.phone,
    vatNumber: input.vat_number,
    websiteId: input.website_id,
    storeViewId: input.store_view_id,
    sourceCode: emptyAsNull(input.source_code),
    damagedStockSourceCode: emptyAsNull(input.damaged_stock_source_code),
    isActive: input.is_active,
    paymentMethods: input.payment_methods,
    cardPaymentProvider: input.card_payment_provider,
    allowStoreCredit: input.allow_store_credit,
    lowStockThreshold: input.low_stock_threshold,
    useMsi: input.use_msi,
    taxUseAddress: input.tax_use_address,
    addressUseStoreview: input.address_use_storeview,
    receiptHeader: input.receipt_header,
    receiptFooter: input.receipt_footer,
    receiptShowStaffName: input.receipt_show_staff_name,
    receiptShowOrderNumber: input.receipt_show_order_number,
    receiptLogoSize: input.receipt_logo_size,
    receiptStoreInfoPlacement: input.receipt_store_info_placement,
    staffNameFormat: input.staff_name_format,
    pickupCompletedStatusCode: input.pickup_completed_status_code,
    layawayDepositMinPercent: input.layaway_deposit_min_percent,
    layawayExpiryDays: input.layaway_expiry_days,
    layawayCancellationFeePercent: input.layaway_cancellation_fee_percent,
    customerValidators: input.customer_validators,
    configOverrides: input.config_overrides,
  }),
  answer: locationAnswer,
  render: (row, caller) =>
    renderLocation(row, { showsOverrides: caller?.can('Vendor_Pos::locations_manage') === true }),
});

const inCapitals = (input: string | null | undefined) => (input === null ? null : input?.toUpperCase());

/** An empty code counts as none. */
const emptyAsNull = (input: string | null | undefined) => (input === '' ? null : input);

/** One location by its code, spelled exactly (spec 4.2). */
const getLocationByCode = route({
  method: 'GET',
  path: '/V1/pos/locations/code/:code',
  acl: 'Vendor_Pos::locations',
  summary: 'One location by its code',
  name: 'getLocationByCode',
  description: 'The code is compared exactly, capitals included. Otherwise it answers as the read by id.',
  outcomes: [noLocationWithCode],
  params: z.object({ code: text(64) }),
  response: locationAnswer,

  handle: async ({ em, params, caller }) => location.render(await findLocationByCode(em, params.code), caller),
});

/** The shop's locations (spec 4.2). */
export const locationRoutes: readonly AnyRoute[] = [
  location.list({
    path: '/V1/pos/locations',
    name: 'listLocations',
    summary: 'List locations',
    description: `Without criteria every location. Only the route of one location shows \`config_overrides\`, and only
      to callers that may manage locations. It cannot be searched.`,
    isWholeByDefault: true,
  }),

  location.get({
    path: '/V1/pos/locations/:locationId',
    name: 'getLocation',
    summary: 'One location',
    description: `Null in a field means that the setting of the shop holds. \`config_overrides\` is there for callers
      that may manage locations.`,
  }),

  getLocationByCode,

  location.create({
    path: '/V1/pos/locations',
    name: 'createLocation',
    summary: 'Add a location',
    description:
      'A name and a code are needed; all else inherits from the shop. A repeat is refused, because its code is taken.',
    outcomes: [locationNotSaved],
  }),

  location.update({
    path: '/V1/pos/locations/:locationId',
    name: 'updateLocation',
    summary: 'Change a location',
    description: `What you leave out stays; null in an override inherits from the shop again. The same change twice
      leaves the same location. Registers of the location see a new \`config_hash\`.`,
    outcomes: [locationNotSaved],
  }),

  location.remove({
    path: '/V1/pos/locations/:locationId',
    name: 'deleteLocation',
    summary: 'Delete a location',
    description: `Its terminals stay, at no location, and its staff assignments end; the audit trail has a line for
each.
      A repeat is a 404.`,
    outcomes: [locationNotDeleted],
  }),
];
