import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import type { ShownOption } from '../../domain/platform/catalog/entered-options.ts';
import { receiptViewOf } from '../../domain/receipts/receipt-view-of.ts';
import { isReceiptToken, type ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { noReceiptWithToken, receiptNotFound } from '../../domain/refusals/register.ts';
import { settingsOf, settingsText } from '../configuration/read-shop-settings.ts';
import { Location } from '../locations/location.entity.ts';
import { amount, flag, json, listOf, orNull, quantity, definite, text } from '../support/entity-columns.ts';
import { gathered } from '../support/gather.ts';
import { bucketParameters, bucketValues, countSoonText, type Bucket } from '../support/rate-limit.ts';
import { of, perhaps, rowListed } from '../support/rows.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { Receipt } from './receipt.entity.ts';
import { receiptTokenDigest, receiptTokenPurpose, tryLockSale } from './save-receipt.ts';

/** All data of a receipt's view, read in one statement. */
type ReceiptViewRow = RowFrom<typeof viewRowById>;

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
    coalesce(l.time_zone, w.time_zone, 'UTC') as time_zone`;

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

const viewRowById = sql('read-receipt-view.viewRowById', { gives })`
  select ${columns} from pos_receipt r ${shop} where r.receipt_id = $receiptId`;

const viewRowByToken = sql('read-receipt-view.viewRowByToken', { gives })`
  select ${columns} from pos_receipt r ${shop} where r.token_digest = $tokenDigest`;

/** How long a page waits for a database that does not answer. */
const patienceMs = 10_000;

/**
 * The same of several receipts, and counts each reading in a bucket of its own. An unknown token counts nothing.
 * Planned once, as `countSoonText` is: planning takes four times as long as reading.
 */
const countedViewRows = sql('read-receipt-view.countedViewRows', {
  answerWithinMs: patienceMs,
  takes: bucketParameters,
  gives,
})`
  with asked as (select a.key, a.token_digest from unnest((select $keys::text[]), (select $tokenDigests::text[])) as a
    (key, token_digest)),
  counted as (
    ${countSoonText('exists (select from asked a join pos_receipt f using (token_digest) where a.key = b.key)')}
    returning r.bucket
  )
  select a.key, exists (select from counted c where c.bucket = a.key) as is_counted, ${columns}
  from asked a join pos_receipt r on r.token_digest = a.token_digest ${shop}`;

/** A visitor's look at a receipt. */
export interface Look {
  tokenDigest: string;
  /** What the look counts in. */
  bucket: Bucket;
}

type LookRow = RowFrom<typeof countedViewRows>;

/** Each may bring a megabyte: more would take too much memory at once. */
const mostTogether = 16;

/**
 * Reads the rows of a receipt and counts the look, in one statement that looks of the same moment share: beside it,
 * each alone costs the database twice as much. Exact for any number of looks at once: a statement counts once in a
 * bucket, so the next look of the same visitor is the next statement's.
 *
 * @returns undefined for an unknown token, which is not counted
 */
const lookAtReceipt = gathered<Look, LookRow | undefined>({
  atMost: mostTogether,
  apart: ({ bucket }) => bucket.name,
  ask: lookTogether,
});

async function lookTogether(em: EntityManager, looks: readonly Look[]): Promise<(LookRow | undefined)[]> {
  const counting = bucketValues(looks.map(({ bucket }) => bucket));
  const tokenDigests = looks.map(({ tokenDigest }) => tokenDigest);
  const rows = await countedViewRows.all(em, { tokenDigests, ...counting });
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return counting.keys.map((key) => byKey.get(key));
}

/** What a view needs besides the rows: the box that opens tokens, and the public address of this shop. */
export interface ViewMeans {
  box: SecretBox;
  /** Undefined when it is not configured: then the receipt shows no code for the public page. */
  publicBaseUrl: string | undefined;
}

/**
 * What a receipt shows, with its location as it is now (spec 2.14, 4.9). One statement, by index.
 *
 * Refused with: 404 unknown token or id.
 */
export async function readReceiptView(
  em: EntityManager,
  requested: { token: string } | { receiptId: number },
  means: ViewMeans,
): Promise<ReceiptView> {
  if ('receiptId' in requested) {
    const { receiptId } = requested;
    const row = await viewRowById.first(em, { receiptId });
    if (!row) throw receiptNotFound([receiptId]);
    return viewOf(row, means.box.open(row.sealedToken, receiptTokenPurpose), means);
  }
  const { token } = requested;
  const row = await viewRowByToken.first(em, { tokenDigest: digestOf(token) });
  if (!row) throw noReceiptWithToken();
  return viewOf(row, token, means);
}

/**
 * The same for a visitor of the public page. The statement that reads the receipt also counts the visit in a bucket.
 *
 * Refused with: 404 unknown token, which is not counted.
 *
 * @returns undefined when the bucket is full
 */
export async function readReceiptViewCounted(
  em: EntityManager,
  { token, bucket }: { token: string; bucket: Bucket },
  means: ViewMeans,
): Promise<ReceiptView | undefined> {
  const row = await lookAtReceipt(em, { tokenDigest: digestOf(token), bucket });
  if (!row) throw noReceiptWithToken();
  return row.isCounted ? viewOf(row, token, means) : undefined;
}

/** A text that cannot be a token is refused without asking the database. */
function digestOf(token: string): string {
  if (!isReceiptToken(token)) throw noReceiptWithToken();
  return receiptTokenDigest(token);
}

const viewOf = (row: ReceiptViewRow, token: string, { box, publicBaseUrl }: ViewMeans): ReceiptView =>
  receiptViewOf({
    receipt: row,
    items: row.items,
    entered: row.entered,
    place: row.place ?? undefined,
    shopName: row.shopName,
    locale: row.locale,
    timeZone: row.timeZone,
    publicBaseUrl: publicBaseUrl?.replace(/(?<!\/)\/+$/, ''),
    settings: settingsOf(row.settings, box),
    token: token.toLowerCase(),
  });

/** The most orders one sweep takes. The next sweep comes a minute later. */
const mostAtOnce = 100;
/** The longest one sweep may take: returns and mails wait for it. */
const budgetMs = 2_000;

/** Notes, in the order's transaction, that its receipt must still be linked. A repeat changes nothing. */
export const noteLostLink = (em: EntityManager, orderId: number) => note.run(em, { orderId });

const note = sql('read-receipt-view.note')`
  insert into pos_receipt_lost_link (order_id) values ($orderId) on conflict (order_id) do nothing`;

/**
 * Links the receipts that could not be linked when their order was saved (spec 4.9). Each has its own transaction.
 *
 * Safe to repeat, also many times at once: it writes only a number that is missing. A sale that another transaction has
 * locked is left to the next sweep. One that fails does not stop the others.
 *
 * @param failed called for each order whose receipt could not be linked
 * @returns how many orders were handled
 */
export async function linkLostReceipts(
  em: EntityManager,
  { failed, withinMs = budgetMs }: { failed?: (orderId: number, error: unknown) => void; withinMs?: number } = {},
): Promise<number> {
  const until = performance.now() + withinMs;
  let done = 0;
  for (const lost of await selectReceiptView.all(em, { mostAtOnce })) {
    if (performance.now() >= until) break;
    try {
      if (await transact(em, (tx) => linkOne(tx, lost))) done++;
    } catch (error) {
      failed?.(lost.orderId, error);
    }
  }
  return done;
}

/** When the sale has no receipt yet, `saveReceipt` will take this lock later and find the order itself. */
async function linkOne(
  tx: EntityManager,
  { orderId, incrementId, posSaleId }: RowFrom<typeof selectReceiptView>,
): Promise<boolean> {
  if (!(await tryLockSale(tx, posSaleId))) return false;
  await link.run(tx, { incrementId, posSaleId });
  await forget.run(tx, { orderId });
  return true;
}

const selectReceiptView = sql('read-receipt-view.selectReceiptView', { gives: { posSaleId: definite(text) } })`
  select l.order_id, o.increment_id, o.pos_sale_id
  from pos_receipt_lost_link l join sales_order o on o.entity_id = l.order_id
  where o.pos_sale_id is not null order by l.created_at limit $mostAtOnce`;

/** The receipt of a claimed refund stays with the order that was refunded. */
const link = sql('read-receipt-view.link')`
  update pos_receipt set order_increment_id = $incrementId, updated_at = now()
  where pos_order_id = $posSaleId and order_increment_id is null and claimed_at is null`;

const forget = sql('read-receipt-view.forget')`delete from pos_receipt_lost_link where order_id = $orderId`;
