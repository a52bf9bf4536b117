import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { enforcementFlags } from '../../../domain/configuration/enforcement.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { secretBox, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';

let api: TestApi;

beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const set = (path: string, value: string, scope?: 'websites' | 'stores', scopeId = 0) =>
  setConfigValue(api.orm.em.fork(), secretBox, { path, value, ...(scope ? { scope, scopeId } : {}) });
const config = async (path = '/V1/pos/config') =>
  JSON.parse((await api.call('GET', path, { token: api.tokens.register })).body);

test('a shop is connected where it has a license service, as in the answer to a refresh', async () => {
  const connected = await testApi({
    settings: { POS_SECRET_KEY: secretKey, LICENSE_SERVICE_URL: 'http://127.0.0.1:9' },
  });
  const { body } = await connected.call('GET', '/V1/pos/config', { token: connected.tokens.register });
  await connected.close();

  expect([JSON.parse(body).license, (await config()).license]).toEqual([{ connected: true }, { connected: false }]);
});

test('the global config is a JSON text in JSON, and is never stored', async () => {
  const { status, body, headers } = await api.call('GET', '/V1/pos/config', { token: api.tokens.register });

  expect(status).toBe(200);
  expect(typeof body).toBe('string');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(JSON.parse(body)).toMatchObject({ module_version: '1.3.0', enabled: true });
});

test('it has every key of the interface, with the platform’s defaults', async () => {
  expect(await config()).toMatchInlineSnapshot(`
{
  "card_payments": {
    "provider": "manual",
    "provider_a": {
      "api_key": "",
      "enabled": false,
      "organisation_id": "",
      "test_api_key": "",
      "test_mode": false,
    },
    "providers": {
      "provider_b": {
        "api_token": "",
        "enabled": false,
        "service_id": "",
        "service_secret": "",
        "test_mode": false,
        "token_code": "",
      },
    },
  },
  "credit_providers": [
    {
      "code": "store_credit",
      "enabled": true,
      "key": "store_credit",
      "label": "Store credit",
    },
    {
      "code": "gift_card",
      "enabled": true,
      "key": "gift_card",
      "label": "Gift card",
    },
    {
      "code": "reward_points",
      "enabled": false,
      "key": "reward_points",
      "label": "Reward points",
    },
  ],
  "credits": {
    "gift_card_includes_tax": true,
    "refund_to_store_credit": false,
    "reward_points_includes_tax": true,
    "store_credit_includes_tax": true,
  },
  "default_allow_store_credit": 1,
  "default_layaway_cancellation_fee_percent": 0,
  "default_layaway_deposit_min_percent": 20,
  "default_layaway_expiry_days": 30,
  "default_low_stock_threshold": 5,
  "default_order_status": "",
  "default_payment_methods": "cashondelivery,checkmo,provider_a,provider_b",
  "default_pickup_queue_filter": "all",
  "default_receipt_footer": "",
  "default_receipt_header": "",
  "default_receipt_show_order_number": true,
  "default_receipt_show_staff_name": true,
  "default_use_msi": true,
  "enabled": true,
  "enforcement": {
    "allow_store_credit": "0",
    "auto_print": "0",
    "card_payment_provider": "0",
    "cash_rounding_increment": "0",
    "categories": "0",
    "custom_sale_sku": "0",
    "customer_prices": "0",
    "held_carts": "0",
    "low_stock_threshold": "0",
    "pay_by_invoice_invoicing_mode": "0",
    "pay_by_invoice_method": "0",
    "payment_methods": "0",
    "pickup_queue_filter": "0",
    "promo_attribute_lookup": "0",
    "provider_a_config": "0",
    "provider_a_magento_method": "0",
    "provider_b_config": "0",
    "provider_b_magento_method": "0",
    "receipt_footer": "0",
    "receipt_header": "0",
    "receipt_qr": "0",
    "receipt_show_order_number": "0",
    "receipt_show_receipt_number": "0",
    "receipt_show_sale_reference": "0",
    "receipt_show_staff_name": "0",
    "refund_validity": "0",
    "require_open_session": "0",
    "store_details": "0",
    "tax_settings": "0",
    "use_msi": "0",
    "walk_in_customer": "0",
  },
  "has_credit_providers": true,
  "has_customer_balance": true,
  "has_gift_card": true,
  "has_msi": true,
  "has_reward_points": false,
  "has_rma_module": true,
  "has_rma_providers": true,
  "has_wishlist": true,
  "license": {
    "connected": false,
  },
  "module_version": "1.3.0",
  "payments": {
    "available_terminal_payment_methods": [
      {
        "code": "cashondelivery",
        "label": "Cash On Delivery",
      },
      {
        "code": "checkmo",
        "label": "Check / Money order",
      },
      {
        "code": "banktransfer",
        "label": "Bank Transfer Payment",
      },
      {
        "code": "purchaseorder",
        "label": "Purchase Order",
      },
      {
        "code": "provider_a",
        "label": "Card terminal A",
      },
      {
        "code": "provider_b",
        "label": "Card terminal B",
      },
    ],
    "builtin_refunds_enabled": true,
    "credit_limits_enabled": false,
    "pay_by_invoice_invoicing_mode": "open",
    "pay_by_invoice_method": "purchaseorder",
    "providers": {
      "provider_a": {
        "magento_method": "provider_a",
      },
      "provider_b": {
        "magento_method": "provider_b",
      },
    },
  },
  "require_staff_login": true,
  "require_terminal_registration": true,
  "rma_providers": [
    {
      "code": "builtin",
      "enabled": true,
      "key": "builtin",
      "label": "Built-in returns",
    },
  ],
  "share_held_carts": true,
  "shipping_label_providers": [],
  "tax": {
    "apply_after_discount": true,
    "calculation_algorithm": "TOTAL_BASE_CALCULATION",
    "cart_display_price": 1,
    "cart_display_subtotal": 1,
    "cart_display_zero_tax": false,
    "discount_tax": false,
    "display_type": 1,
    "price_includes_tax": false,
    "reverse_charge_enabled": false,
    "sales_display_zero_tax": false,
    "tax_exempt_enabled": false,
    "weee": {
      "apply_vat": false,
      "attributes": [],
      "display_list": 1,
      "display_product": 1,
      "display_sales": 1,
      "enabled": false,
      "include_in_subtotal": false,
    },
  },
  "telemetry": {
    "enabled": true,
    "force_enabled": false,
    "upload_hour": 3,
  },
  "walk_in_customer": {
    "city": "",
    "country_id": "US",
    "email": "walk-in@example.com",
    "first_name": "Walk-in",
    "last_name": "Customer",
    "phone": "",
    "postcode": "",
    "region_id": 0,
    "street": "",
  },
}
`);
});

test('every lock is a string, 1 where a website sets it', async () => {
  await set('vendor_pos_lock/enforcement/use_msi', '1', 'websites', 1);
  const { enforcement } = await config();

  expect(Object.keys(enforcement)).toEqual([...enforcementFlags]);
  expect(enforcement).toMatchObject({ use_msi: '1', tax_settings: '0' });
});

test('the store view of the path decides, down to the website and the default', async () => {
  await set('vendor_pos_terminal/receipt/footer', 'shop');
  await set('vendor_pos_terminal/receipt/footer', 'canada', 'stores', 2);

  expect((await config()).default_receipt_footer).toBe('shop');
  expect((await config('/rest/ca/V1/pos/config')).default_receipt_footer).toBe('canada');
  expect((await config('/rest/all/V1/pos/config')).default_receipt_footer).toBe('shop');
});

test('card provider keys are delivered in clear', async () => {
  await set('vendor_pos_terminal/provider_a/api_key', 'key-a');
  await set('vendor_pos_terminal/provider_b/service_secret', 'secret-b');
  const { card_payments: card } = await config();

  expect(card.provider_a.api_key).toBe('key-a');
  expect(card.providers.provider_b.service_secret).toBe('secret-b');
});

test('fixed product taxes tell their attributes only while they are on', async () => {
  await set('tax/weee/attributes', 'eco_fee:Eco fee');
  expect((await config()).tax.weee).toMatchObject({ enabled: false, attributes: [] });

  await set('tax/weee/enable', '1');
  expect((await config()).tax.weee).toEqual({
    enabled: true,
    apply_vat: false,
    include_in_subtotal: false,
    display_sales: 1,
    display_product: 1,
    display_list: 1,
    attributes: [{ code: 'eco_fee', label: 'Eco fee' }],
  });
});

test('a caller without the resource gets the platform’s 401', async () => {
  expect(await api.call('GET', '/V1/pos/config', { token: api.tokens.nothing })).toMatchObject({
    status: 401,
    body: {
      message: "The consumer isn't authorized to access %resources.",
      parameters: { resources: 'Vendor_Pos::locations' },
    },
  });
});
