import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import type { ShownOption } from '../../domain/platform/catalog/option-figures.ts';
import { settingsText } from '../configuration/read-shop-settings.ts';
import { Location } from '../locations/location.entity.ts';
import { amount, flag, integer, json, listOf, orNull, quantity, surely, text, texts } from '../support/kinds.ts';
import { bucketParameters, countSoonText } from '../support/rate-limit.ts';
import { of, perhaps, rowListed } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Receipt } from './receipt.entity.ts';

/** All data of a receipt's view, read in one statement. */
export type ReceiptViewRow = RowFrom<typeof viewRowById>;

/** All settings that a receipt can show. No key of a provider is among them. */
const paths = Object.keys(settingDefaults).filter((path) =>
  /^(vendor_pos_terminal\/(receipt|payments)\/|general\/store_information\/|vendor_pos_lock\/)/.test(path),
);

const settings = settingsText({
  paths: `'{${paths.join(',')}}'::text[]`,
  storeId: 'coalesce(v.store_id, 0)',
  websiteId: 'coalesce(w.website_id, 0)',
});

const place = rowListed(
  Location,
  'l',
  ...(['locationId', 'name', 'street', 'city', 'region', 'regionId', 'postcode', 'countryId', 'phone'] as const),
  ...(['vatNumber', 'addressUseStoreview', 'receiptHeader', 'receiptFooter', 'receiptShowStaffName'] as const),
  ...(['receiptShowOrderNumber', 'receiptLogoSize', 'receiptStoreInfoPlacement', 'staffNameFormat'] as const),
  'configOverrides',
);

const gives = {
  ...of(Receipt, 'receiptId', 'posOrderId', 'createdAt', 'saleType', 'layawayKind', 'currency', 'staffName'),
  ...of(Receipt, 'terminalName', 'locationName', 'customerName', 'receiptNumber', 'orderIncrementId'),
  ...of(Receipt, 'originalOrderIncrementId', 'paymentMethod', 'subtotal', 'taxAmount', 'discountAmount', 'grandTotal'),
  ...of(Receipt, 'amountTendered', 'changeDue', 'shippingRefund', 'adjustmentPositive', 'adjustmentNegative'),
  ...of(Receipt, 'layawayAmountCaptured', 'layawayTotalPaid', 'layawayBalanceOwed', 'layawayExpiresAt'),
  ...of(Receipt, 'pointsEarned', 'isReverseCharge', 'receiptModel', 'splitPayments', 'appliedCredits'),
  ...of(Receipt, 'shipToShipments', 'backorderShipments', 'terminalInfo', 'claimedAt', 'sealedToken'),
  place: perhaps(place),
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
  entered: listOf({ sku: text, options: json<ShownOption[]>() }),
  settings: listOf({ path: text, value: orNull(text), isEncrypted: flag }),
  shopName: text,
  locale: text,
  timeZone: text,
};

/** The order of a receipt: that of the sale, where several have its number. */
const orderOfReceipt = (column: string) => `
        select ${column} from sales_order o where o.increment_id = r.order_increment_id
        order by (o.pos_sale_id is not distinct from r.pos_order_id) desc, o.entity_id limit 1`;

/**
 * The store view is the location's, else the first of the location's website, else the sale's, else the shop's first.
 */
const columns = `
    r.receipt_id, r.pos_order_id, r.created_at, r.sale_type, r.layaway_kind, r.currency, r.staff_name,
    r.terminal_name, r.location_name, r.customer_name, r.receipt_number, r.order_increment_id,
    r.original_order_increment_id, r.payment_method, r.subtotal, r.tax_amount, r.discount_amount, r.grand_total,
    r.amount_tendered, r.change_due, r.shipping_refund, r.adjustment_positive, r.adjustment_negative,
    r.layaway_amount_captured, r.layaway_total_paid, r.layaway_balance_owed, r.layaway_expires_at, r.points_earned,
    r.is_reverse_charge, r.receipt_model, r.split_payments, r.applied_credits, r.ship_to_shipments,
    r.backorder_shipments, r.terminal_info, r.claimed_at, r.sealed_token, ${place.columns},
    (select coalesce(json_agg(json_build_object('sku', i.sku, 'name', i.name, 'qty', i.qty::text, 'price', i.price::text,
      'rowTotal', i.row_total::text, 'discountAmount', i.discount_amount::text,
      'baseUnitPrice', i.base_unit_price::text, 'fulfillmentMode', i.fulfillment_mode)
      order by i.receipt_item_id), '[]') from pos_receipt_item i where i.receipt_id = r.receipt_id) as items,
    (select coalesce(json_agg(json_build_object('sku', i.sku, 'options', i.entered_options) order by i.item_id), '[]')
      from sales_order_item i where i.entered_options <> '[]' and i.order_id = (${orderOfReceipt('o.entity_id')})) as entered,
    (select coalesce(json_agg(json_build_object('path', c.path, 'value', c.value, 'isEncrypted', c.is_encrypted)), '[]')
      from (${settings}) c) as settings,
    coalesce(w.name, 'Shop') as shop_name, coalesce(v.locale, 'en_US') as locale,
    coalesce(w.time_zone, 'UTC') as time_zone`;

const shop = `
  left join pos_location l on l.location_id = r.location_id
  left join lateral (
    select s.store_id, s.website_id, s.locale from store_view s
    where s.store_id > 0
    order by coalesce(s.store_id = l.store_view_id, false) desc, coalesce(s.website_id = l.website_id, false) desc,
      coalesce(s.store_id = (${orderOfReceipt('o.store_id')}), false) desc,
      s.store_id limit 1
  ) v on true
  left join website w on w.website_id = coalesce(nullif(l.website_id, 0), v.website_id)`;

export const viewRowById = statement({
  takes: { receiptId: integer },
  gives,
  text: `select ${columns} from pos_receipt r ${shop} where r.receipt_id = $receiptId`,
});

export const viewRowByToken = statement({
  takes: { tokenDigest: text },
  gives,
  text: `select ${columns} from pos_receipt r ${shop} where r.token_digest = $tokenDigest`,
});

/** How long a page waits for a database that does not answer. */
const patienceMs = 10_000;

/**
 * The same of several receipts, and counts each reading in a bucket of its own. An unknown token counts nothing.
 * Planned once, as `countSoonText` is: planning takes four times as long as reading.
 */
export const countedViewRows = statement({
  answerWithinMs: patienceMs,
  takes: { tokenDigests: texts, ...bucketParameters },
  gives: { ...gives, key: surely(text), isCounted: surely(flag) },
  text: `
    with asked as (select a.key, a.token_digest from unnest((select $keys::text[]), (select $tokenDigests::text[])) as a (key, token_digest)),
    counted as (
      ${countSoonText('exists (select from asked a join pos_receipt f using (token_digest) where a.key = b.key)')}
      returning r.bucket
    )
    select a.key, exists (select from counted c where c.bucket = a.key) as is_counted, ${columns}
    from asked a join pos_receipt r on r.token_digest = a.token_digest ${shop}`,
});
