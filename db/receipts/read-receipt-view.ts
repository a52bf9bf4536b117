import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { notFound } from '../../domain/errors.ts';
import { isReceiptToken } from '../../domain/receipts/receipt-fault.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { receiptViewOf } from '../../domain/receipts/receipt-view-of.ts';
import type { StoredPlace } from '../../domain/receipts/stored-receipt.ts';
import { readShopSettings } from '../configuration/read-shop-settings.ts';
import { Location } from '../locations/location.entity.ts';
import { amount, integer, listOf, orNull, quantity, text } from '../support/kinds.ts';
import { of, perhaps, rowOf } from '../support/rows.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Receipt } from './receipt.entity.ts';
import { receiptTokenDigest, receiptTokenPurpose } from './save-receipt.ts';

/** How the stored becomes what is shown: who opens the token, and how this shop is reached from outside. */
export interface ViewMeans {
  box: SecretBox;
  /** Without a slash at its end; undefined: nobody said, and no code leads to the public page. */
  publicBaseUrl: string | undefined;
}

/**
 * What a receipt shows, with its location as it is now (spec 2.14, 4.9). Two statements, both by index.
 *
 * Refused with: 404 unknown token or id.
 */
export async function readReceiptView(
  em: EntityManager,
  wanted: { token: string } | { receiptId: number },
  means: ViewMeans,
): Promise<ReceiptView> {
  const row = 'token' in wanted ? await byToken(em, wanted.token) : await byId.first(em, wanted);
  if (!row)
    throw 'token' in wanted
      ? notFound('The POS receipt with this token does not exist.')
      : notFound('The POS receipt with id %1 does not exist.', [wanted.receiptId]);
  const { box, publicBaseUrl } = means;
  const token = 'token' in wanted ? wanted.token.toLowerCase() : box.open(row.sealedToken, receiptTokenPurpose);
  const settings = await readShopSettings(em, { storeId: row.storeId, websiteId: row.websiteId }, box, paths);
  return receiptViewOf({
    receipt: row,
    items: row.items,
    place: row.place ? placeOf(row.place) : undefined,
    shopName: row.shopName,
    locale: row.locale,
    timeZone: row.timeZone,
    publicBaseUrl: publicBaseUrl?.replace(/\/+$/, ''),
    settings,
    token,
  });
}

const byToken = async (em: EntityManager, token: string) =>
  isReceiptToken(token) ? byDigest.first(em, { tokenDigest: receiptTokenDigest(token) }) : undefined;

/** All that can say something on a receipt; no key of a provider is among them. */
const paths = Object.keys(settingDefaults).filter((path) =>
  /^(vendor_pos_terminal\/(receipt|payments)\/|general\/store_information\/|vendor_pos_lock\/)/.test(path),
);

const gives = {
  ...of(Receipt, 'receiptId', 'posOrderId', 'createdAt', 'saleType', 'layawayKind', 'currency', 'staffName'),
  ...of(Receipt, 'terminalName', 'locationName', 'customerName', 'receiptNumber', 'orderIncrementId'),
  ...of(Receipt, 'originalOrderIncrementId', 'paymentMethod', 'subtotal', 'taxAmount', 'discountAmount', 'grandTotal'),
  ...of(Receipt, 'amountTendered', 'changeDue', 'shippingRefund', 'adjustmentPositive', 'adjustmentNegative'),
  ...of(Receipt, 'layawayAmountCaptured', 'layawayTotalPaid', 'layawayBalanceOwed', 'layawayExpiresAt'),
  ...of(Receipt, 'pointsEarned', 'isReverseCharge', 'receiptModel', 'splitPayments', 'appliedCredits'),
  ...of(Receipt, 'shipToShipments', 'backorderShipments', 'terminalInfo', 'claimedAt', 'sealedToken'),
  place: perhaps(rowOf(Location, 'l')),
  items: listOf({
    sku: orNull(text),
    name: orNull(text),
    qty: orNull(quantity),
    price: orNull(amount),
    rowTotal: orNull(amount),
    discountAmount: orNull(amount),
    baseUnitPrice: orNull(amount),
    fulfillmentMode: orNull(text),
  }),
  storeId: integer,
  websiteId: integer,
  shopName: text,
  locale: text,
  timeZone: text,
};

/** The store view is the location's, else its website's first one, else that of the sale, else the first of the shop. */
const texts = (condition: string) => `
  select r.receipt_id, r.pos_order_id, r.created_at, r.sale_type, r.layaway_kind, r.currency, r.staff_name,
    r.terminal_name, r.location_name, r.customer_name, r.receipt_number, r.order_increment_id,
    r.original_order_increment_id, r.payment_method, r.subtotal, r.tax_amount, r.discount_amount, r.grand_total,
    r.amount_tendered, r.change_due, r.shipping_refund, r.adjustment_positive, r.adjustment_negative,
    r.layaway_amount_captured, r.layaway_total_paid, r.layaway_balance_owed, r.layaway_expires_at, r.points_earned,
    r.is_reverse_charge, r.receipt_model, r.split_payments, r.applied_credits, r.ship_to_shipments,
    r.backorder_shipments, r.terminal_info, r.claimed_at, r.sealed_token, ${rowOf(Location, 'l').columns},
    (select coalesce(json_agg(json_build_object('sku', i.sku, 'name', i.name, 'qty', i.qty::text, 'price', i.price::text,
      'rowTotal', i.row_total::text, 'discountAmount', i.discount_amount::text,
      'baseUnitPrice', i.base_unit_price::text, 'fulfillmentMode', i.fulfillment_mode)
      order by i.receipt_item_id), '[]') from pos_receipt_item i where i.receipt_id = r.receipt_id) as items,
    coalesce(v.store_id, 0) as store_id, coalesce(w.website_id, 0) as website_id,
    coalesce(w.name, 'Shop') as shop_name, coalesce(v.locale, 'en_US') as locale,
    coalesce(w.time_zone, 'UTC') as time_zone
  from pos_receipt r
  left join pos_location l on l.location_id = r.location_id
  left join sales_order o on o.increment_id = r.order_increment_id
  left join lateral (
    select s.store_id, s.website_id, s.locale from store_view s
    where s.store_id > 0
    order by coalesce(s.store_id = l.store_view_id, false) desc, coalesce(s.website_id = l.website_id, false) desc,
      coalesce(s.store_id = o.store_id, false) desc, s.store_id limit 1
  ) v on true
  left join website w on w.website_id = coalesce(nullif(l.website_id, 0), v.website_id)
  where ${condition}`;

const byId = statement({ takes: { receiptId: integer }, gives, text: texts('r.receipt_id = $receiptId') });
const byDigest = statement({ takes: { tokenDigest: text }, gives, text: texts('r.token_digest = $tokenDigest') });

type PlaceRow = NonNullable<RowFrom<typeof byId>['place']>;

const placeOf = (place: PlaceRow): StoredPlace => ({
  name: place.name,
  street: place.street,
  city: place.city,
  region: place.region,
  region_id: place.regionId,
  postcode: place.postcode,
  country_id: place.countryId,
  phone: place.phone,
  vat_number: place.vatNumber,
  address_use_storeview: place.addressUseStoreview,
  receipt_header: place.receiptHeader,
  receipt_footer: place.receiptFooter,
  receipt_show_staff_name: place.receiptShowStaffName,
  receipt_show_order_number: place.receiptShowOrderNumber,
  receipt_logo_size: place.receiptLogoSize,
  receipt_store_info_placement: place.receiptStoreInfoPlacement,
  staff_name_format: place.staffNameFormat,
  config_overrides: place.configOverrides,
});
