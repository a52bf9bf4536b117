import { toSnakeCase } from '../../wire/read-json.ts';
import { mapParts, propertiesOf, type Json } from './json.ts';
import { answeredName } from './shapes.ts';
import { catalogWords, platformWords } from './words/catalog-words.ts';
import { counterMoreWords, counterWords } from './words/counter-words.ts';
import { drawerWords } from './words/drawer-words.ts';
import { generalWords, sameEverywhere, tradeWords } from './words/general-words.ts';
import { setUpWords } from './words/set-up-words.ts';

/** Words of terminals, locations, staff, settings and the audit trail. */
const setUpMoreWords: Readonly<Record<string, string>> = {
  has_msi: 'Whether stock is kept by source. False: leave `/V1/inventory` alone.',
  shipping_label_providers: 'Providers of shipping labels.',
  credit_providers: 'The providers of credit.',
  rma_providers: 'The providers of returns.',
  key: 'Its key.',
};

/** Words of events, their feed and their webhooks. */
const eventWords: Readonly<Record<string, string>> = {
  'Event.id': 'The name of the event.',
  'Event.type': 'An object, and what became true of it.',
  'Event.version': 'The version of the facts and the object of this type.',
  'Event.object': 'What the event tells of.',
  'EventObject.kind': 'The kind of object.',
  'EventObject.id': 'Its id, as its own route takes it.',
  'Event.kind': 'The kind of object.',
  'EventFeed.events': 'In the order in which they were committed.',
  endpoint: 'The endpoint.',
  endpoint_id: 'The endpoint.',
  'WebhookEndpoint.url': 'Where events are sent to.',
  'WebhookEndpointWithSecret.url': 'Where events are sent to.',
  'WebhookEndpointWish.url': 'Where events are sent to: HTTPS, at a public address.',
  'NewWebhookEndpoint.url': 'Where events are sent to: HTTPS, at a public address.',
  'WebhookEndpoint.description': 'For people.',
  'WebhookEndpointWithSecret.description': 'For people.',
  'WebhookEndpointWish.description': 'For people.',
  'NewWebhookEndpoint.description': 'For people.',
  'WebhookEndpointWish.types': 'The types that it gets; an empty list is every type.',
  'NewWebhookEndpoint.types': 'The types that it gets; absent or empty: every type.',
  'WebhookEndpointWish.format': '`standard`: the signed event. `slack`: one sentence, for a chat.',
  'NewWebhookEndpoint.format': '`standard`: the signed event. `slack`: one sentence, for a chat.',
  is_on: 'Whether events are sent. Off, it collects them.',
  paused_for: 'Why it is paused. Null: it is not.',
  failing_since: 'Since when nothing was taken. Null: the last try was taken.',
  event_id: 'The event, by its name.',
  sequence: 'The place of the event in the feed.',
  delivery_state: '`waiting`, `delivered` or `given_up`, after three days.',
  tries: 'How often it was tried.',
  took_ms: 'How long the answer took, in milliseconds.',
  failure: 'What went wrong where the status does not say it.',
  'WebhookAttempt.type': 'The type of the event.',
  'WebhookAttempt.at': 'When it was tried.',
  'WebhookAttempt.attempt_id': 'The try.',
  'WebhookAttempt.status': 'The status that the endpoint answered. Null: no answer came.',
  replayed: 'How many events wait to be sent again.',
  after: 'The place after which it begins.',
  after_revision: 'The `revision` of the last answer; 0 the first time.',
  wait: 'How many seconds to wait for the next event.',
  before: 'The number before which it begins.',
  from: 'The first place.',
  to: 'The last place.',
  'ListEventsQuery.types': 'The types asked for, separated by commas.',
};

/** Words of carts and their accounts that their own files do not say. */
const cartWords: Readonly<Record<string, string>> = {
  cart_id: 'The cart: a random word for a guest’s, a number for any other.',
  cart_item: 'The line of the cart.',
  items_qty: 'How many pieces are in the cart.',
  'CartItem.product_option': 'What was chosen and entered. On a change, absent or null keeps it.',
  configurable_item_options: 'A value for each option of the configurable product.',
  option_id:
    'Of a configurable product the attribute that the option is of, by its id or its code; of a custom option ' +
    'its own id.',
  option_value:
    'Of a configurable product the value, by its id among the values of the attribute. Of a custom option what ' +
    'was entered: a text, a day or a time, or the ids of chosen values, separated by commas.',
  custom_options: 'What was entered for the custom options of the product. An empty list is as none.',
  bundle_options: 'Refused unless empty: no bundles are sold.',
  downloadable_option: 'Refused unless empty: no downloads are sold.',
  giftcard_item_option: 'Refused unless empty: gift cards are bought at a register.',
  'CartTotals.weee_tax_applied_amount': 'The fixed taxes of all lines, without tax on them.',
  'Cart.customer': 'The account of the customer; for a guest only what is known.',
  'Cart.orig_order_id': 'The order that it became. 0: none yet.',
  'Cart.items_count': 'How many lines the cart has.',
  customer_tax_class_id: 'The tax class of the customer.',
  store_to_quote_rate: "The value of one unit of the store view's currency in the cart's currency.",
  base_to_quote_rate: "The value of one unit of the base currency in the cart's currency.",
  quote_currency_code: "The cart's currency: the one that the customer pays in.",
  same_as_billing: '1: goods go to the billing address.',
  'Cart.customer_note_notify': 'Always true.',
  save_in_address_book: '1: the address is added to the address book with the order.',
  'Cart.address': 'The address that it is shipped to.',
  'CartItem.quote_id': 'The cart: its word for a guest’s, its number for any other.',
  'CartPayment.additional_data': 'Further data of the payment method.',
  subtotal_with_discount: 'The goods after discount, without tax.',
  row_total_with_discount: 'The whole line after discount, without tax.',
  'CartTotals.area': 'The part of a page that shows it: `taxes` or `footer`. Absent: the body.',
  address_id: "The entry of the customer's address book.",
  address: 'The address.',
  address_information: 'The address, and the way to ship.',
  shipping_address: 'The address that goods are shipped to.',
  shipping_method_code: 'The way to ship, by the carrier’s word for it.',
  shipping_carrier_code: 'The carrier, by its code.',
  use_for_shipping: 'Whether goods go to this address too. Default: false.',
  method_code: 'The way to ship, by the carrier’s word for it.',
  carrier_title: 'The carrier, for people.',
  method_title: 'The way to ship, for people.',
  price_excl_tax: 'The price of shipping, without tax.',
  'GetSelectedPaymentMethodOfOwnCartAnswerItem.additional_data': 'Further data of the payment method.',
  customer: 'The account of the customer.',
  group: 'The group of customers.',
  'CreateCustomerRequest.password':
    'The password, at least 8 characters of 3 kinds: small and capital letters, digits, signs. Absent: the ' +
    'account has none yet.',
  'CreateCustomerRequest.redirect_url': 'Accepted and ignored: no mail with a link is sent.',
  'CheckCustomerAnswer.messages': 'What is wrong with it, a sentence each. Empty: nothing.',
  current_password: 'The password that the account has now.',
  new_password: 'The new password, at least 8 characters of 3 kinds: small and capital letters, digits, signs.',
  'CreateAdminTokenRequest.username': "The administrator's name.",
  'CreateAdminTokenRequest.password': "The administrator's password.",
  'CreateCustomerTokenRequest.username': "The customer's e-mail.",
  'CreateCustomerTokenRequest.password': "The customer's password.",
};

/** Words of what editors write. */
const contentWords: Readonly<Record<string, string>> = {
  page: 'The page.',
  block: 'The block.',
  template: 'The template.',
  snippet: 'The snippet.',
  schedule: 'The schedule.',
  product_attribute: 'The text of a product.',
  category_attribute: 'The text of a category.',
  identifier: 'The name in addresses and in other content: letters, digits, blanks and `_ . / -`.',
  content: 'The text: HTML, with widgets and variables.',
  css: 'The style of the content, for it alone.',
  active: 'Whether it is shown once published. Default: true.',
  liveview: 'Off: its texts are answered empty to the public, though published. Default: off.',
  creation_time: 'When it was made, `YYYY-MM-DD HH:MM:SS` in UTC. The server writes it.',
  update_time: 'When it was last changed, `YYYY-MM-DD HH:MM:SS` in UTC. The server writes it.',
  changed_by: 'Who changed it last.',
  author: 'Who did it.',
  revision: 'What was read: where another editor has changed it since, it is refused with 409. Absent: not checked.',
  version: 'The number of the version. Absent where one is asked for: the newest.',
  published_version: 'The version that is shown. The server writes it.',
  before: 'Versions older than this number: the next page.',
  'ContentVersion.version': 'The number of the version, one more with each change.',
  'WholeContentVersion.version': 'The number of the version, one more with each change.',
  'WholeContentVersion.fields': 'The further texts of a page, by their keys.',
  'ContentSchedule.content_id': 'The content.',
  'ContentScheduleInput.due_at': 'When it is to be done, in UTC.',
  'ContentSchedule.action': 'What is done to it at that moment.',
  'ContentSchedule.ended_at': 'When it was carried out, failed or was called off, in UTC. Absent: not yet.',
  'ContentSchedule.revision': 'One more with each change; send it back to hear of other editors.',
  page_layout: "The name of the page's layout. It stays as sent.",
  meta_title: 'The title for search engines.',
  meta_keywords: 'The keywords for search engines.',
  meta_description: 'The description for search engines.',
  content_heading: 'The heading above the text.',
  'Content.sort_order': 'The place among pages, as text. Default: `0`.',
  'CreateCmsPageRequestPage.sort_order': 'The place among pages, as text. Default: `0`.',
  layout_update_xml: 'A change of the layout. It stays as sent.',
  custom_theme: 'The name of another theme. It stays as sent.',
  custom_root_template: 'The name of another template. It stays as sent.',
  custom_layout_update_xml: 'A change of the layout of that theme. It stays as sent.',
  custom_theme_from: 'The first day of that theme. It stays as sent.',
  custom_theme_to: 'The last day of that theme. It stays as sent.',
  'Content.started_at': 'When the renewal began, in UTC.',
};

/** Words of orders, invoices, shipments and credit memos that their own files do not say. */
const orderWords: Readonly<Record<string, string>> = {
  customer_middlename: "The customer's middle name.",
  customer_prefix: "The prefix of the customer's name.",
  customer_suffix: "The suffix of the customer's name.",
  customer_dob: "The customer's date of birth, `YYYY-MM-DD`.",
  customer_gender: '1 male, 2 female, 3 not specified.',
  customer_note_notify: '1: the customer gets the note by mail. Default: 0.',
  customer_address_id: 'The entry of the address book that it was copied from. Absent: typed in.',
  email_sent: '1: the customer got the mail about it. Absent: no mail was sent.',
  edit_increment: 'How often the order was edited. It stays as sent.',
  quote_id: 'The cart that it belongs to.',
  quote_address_id: 'The address of the cart that it came from.',
  can_ship_partially: '1: the order may be shipped in parts.',
  can_ship_partially_item: '1: a line may be shipped in parts.',
  forced_shipment_with_invoice: '1: the shipment is made with the invoice. It stays as sent.',
  payment_auth_expiration: 'Days until an authorization of the payment ends. It stays as sent.',
  payment_authorization_amount: 'What the payment was authorized for.',
  discount_canceled: 'The discount of what was cancelled.',
  discount_invoiced: 'The discount of what is invoiced.',
  discount_refunded: 'The discount of what was refunded.',
  discount_tax_compensation_invoiced: 'The tax hidden in the discount of what is invoiced.',
  discount_tax_compensation_refunded: 'The tax hidden in the discount of what was refunded.',
  discount_tax_compensation_canceled: 'The tax hidden in the discount of what was cancelled.',
  shipping_canceled: 'The shipping that was cancelled, without tax.',
  shipping_invoiced: 'The shipping that is invoiced, without tax.',
  shipping_captured: 'The shipping that is paid, without tax.',
  shipping_refunded: 'The shipping that was refunded, without tax.',
  shipping_tax_refunded: 'The tax on shipping that was refunded.',
  base_shipping_discount_tax_compensation_amnt: 'The tax hidden in the discount on shipping, in the base currency.',
  subtotal_canceled: 'The goods that were cancelled, without tax and before discount.',
  subtotal_invoiced: 'The goods that are invoiced, without tax and before discount.',
  subtotal_refunded: 'The goods that were refunded, without tax and before discount.',
  tax_canceled: 'The tax of what was cancelled.',
  tax_invoiced: 'The tax of what is invoiced.',
  tax_refunded: 'The tax of what was refunded.',
  base_total_invoiced_cost: 'What the invoiced goods cost the shop, in the base currency.',
  store_name: 'Website, store and store view, a line each, as they were called when the order was placed.',
  protect_code: 'A random word of the order, for links that must not be guessed.',
  discount_description: 'The discount, for people: the coupon, for instance.',
  shipping_description: 'The way to ship, for people.',
  applied_rule_ids: 'The ids of the promotions that were used, with commas.',
  ext_order_id: 'The id of the order in another system.',
  ext_customer_id: 'The id of the customer in another system.',
  original_increment_id: 'The number of the order that was edited into this one.',
  remote_ip: "The address of the buyer's device.",
  x_forwarded_for: 'The addresses that a proxy named for the device.',
  hold_before_state: 'The state before the order was put on hold; it returns with `unhold`.',
  hold_before_status: 'The status before the order was put on hold; it returns with `unhold`.',
  relation_child_id: 'The order that replaced this one, by its id.',
  relation_child_real_id: 'The order that replaced this one, by its number.',
  relation_parent_id: 'The order that this one replaced, by its id.',
  relation_parent_real_id: 'The order that this one replaced, by its number.',
  applied_taxes: 'The taxes of the order, a row for each rate. They stay as sent.',
  item_applied_taxes: 'The taxes of each line. They stay as sent.',
  taxes: 'The taxes, as a newer version of the platform names them. They stay as sent.',
  additional_itemized_taxes: 'The taxes of what is no line, such as shipping. They stay as sent.',
  converting_from_quote: 'Whether the order was made from a cart.',
  no_discount: '1: no promotion may change the price of the line.',
  free_shipping: '1: shipping is free.',
  locked_do_invoice: '1: the line cannot be invoiced.',
  locked_do_ship: '1: the line cannot be shipped.',
  additional_data: 'Further data, as it was sent.',
  weee_tax_applied_amount: 'The fixed taxes on one.',
  weee_tax_applied_row_amount: 'The fixed taxes on the whole line.',
  base_weee_tax_applied_row_amnt: 'The fixed taxes on the whole line, in the base currency.',
  weee_tax_row_disposition: 'What a rounding of the fixed taxes moved in the line.',
  weee_tax_disposition: 'What a rounding of the fixed taxes moved in one.',
  weee_tax_amount_invoiced: 'The fixed taxes of what is invoiced.',
  weee_tax_amount_refunded: 'The fixed taxes of what was refunded.',
  row_weight: 'The weight of the whole line, in pounds.',
  product_option: 'What the customer chose, by the type of the product.',
  parent_item: 'The line that this one is a part of, as it is.',
  amount_authorized: 'What was authorized.',
  amount_canceled: 'What was cancelled.',
  cc_owner: 'The name on the card.',
  cc_trans_id: "The gateway's reference of the card payment.",
  account_status: 'Always null.',
  shipping: 'Where it goes, and how.',
  'ShippingAssignment.address': 'The address that it is shipped to.',
  'ShippingAssignment.total': 'The amounts of shipping, by their keys in the order.',
  'CartShippingAssignment.address': 'The address that it is shipped to.',
  shipping_label: 'The label of the parcel, as base64.',
  packages: 'Accepted and ignored: parcels are `tracks`.',
  creditmemo: 'The credit memo that is to be booked.',
  offline_requested: 'Whether the money was handed out by hand. Default: false, the gateway is asked.',
  vat_is_valid: 'Accepted and ignored: VAT numbers are not checked with an authority.',
  vat_request_id: 'Accepted and ignored: VAT numbers are not checked with an authority.',
  vat_request_date: 'Accepted and ignored: VAT numbers are not checked with an authority.',
  vat_request_success: 'Accepted and ignored: VAT numbers are not checked with an authority.',
};

/**
 * A word without a shape is one that several shapes share; a shape that is new to it needs its own (`wordOf`). When two
 * files have a word, the first file counts.
 */
const words: Readonly<Record<string, string>> = {
  ...tradeWords,
  ...eventWords,
  ...contentWords,
  ...catalogWords,
  ...cartWords,
  ...orderWords,
  ...platformWords,
  ...counterMoreWords,
  ...drawerWords,
  ...counterWords,
  ...setUpMoreWords,
  ...setUpWords,
  ...generalWords,
};

/**
 * Adds a description to each key that has none: by `Shape.key`, else by the key alone. A key with `base_` has the text
 * of the key without it, with "in the base currency".
 */
export function withFieldWords(shape: string, schema: Json): Json {
  const made = mapParts(schema, (inner) => withFieldWords(shape, inner));
  if (!('properties' in made)) return made;
  const keys = propertiesOf(made);
  const properties = Object.entries(keys).map(([key, inner]) => {
    const description = inner['description'] ?? wordOf(shape, key)?.text;
    if (typeof description !== 'string') return [key, inner] as const;
    const currency = inner['type'] === 'number' && `base_${key}` in keys ? ownCurrency(shape, description) : '';
    return [key, { ...inner, description: description + currency }] as const;
  });
  return { ...made, properties: Object.fromEntries(properties) };
}

/** For an amount beside the same in the base currency. */
function ownCurrency(shape: string, description: string): string {
  if (description.includes('currency')) return '';
  return shape.startsWith('Cart') ? " In the cart's currency." : " In the order's currency.";
}

/** What a key means in a shape. */
interface Word {
  text: string;
  /** The sentence of the key alone, which other shapes have, too. `test/house/shared-words.txt` lists who may. */
  isShared: boolean;
}

/** Undefined: nobody has written it. */
export function wordOf(shape: string, sentKey: string): Word | undefined {
  const key = toSnakeCase(sentKey);
  const own = words[`${shape}.${key}`] ?? words[`${answeredName(shape)}.${key}`];
  if (own !== undefined) return { text: own, isShared: false };
  const shared = words[key];
  if (shared !== undefined) return { text: shared, isShared: !sameEverywhere.has(key) };
  if (!key.startsWith('base_')) return undefined;
  const inOrder = words[key.slice('base_'.length)];
  return inOrder === undefined ? undefined : { text: `${inOrder} In the base currency.`, isShared: true };
}
