import { z } from 'zod';
import { enforcementFlags } from '../../domain/configuration/enforcement.ts';

const text = z.string();
const flag = z.boolean();
const whole = z.int();
const codeLabel = z.object({ code: text, label: text });
const provider = z.object({ key: text, code: text, enabled: flag, label: text });

const cardPayments = z.object({
  provider: text,
  provider_a: z.object({
    enabled: flag,
    organisation_id: text,
    api_key: text,
    test_api_key: text,
    test_mode: flag,
  }),
  providers: z.object({
    provider_b: z.object({
      enabled: flag,
      token_code: text,
      api_token: text,
      service_id: text,
      test_mode: flag,
      service_secret: text,
    }),
  }),
});

const walkInCustomer = z.object({
  first_name: text,
  last_name: text,
  email: text,
  phone: text,
  street: text,
  city: text,
  region_id: whole,
  postcode: text,
  country_id: text,
});

const tax = z.object({
  price_includes_tax: flag,
  apply_after_discount: flag,
  discount_tax: flag,
  display_type: whole,
  cart_display_price: whole,
  cart_display_subtotal: whole,
  sales_display_zero_tax: flag,
  cart_display_zero_tax: flag,
  calculation_algorithm: text,
  reverse_charge_enabled: flag,
  tax_exempt_enabled: flag,
  weee: z.object({
    enabled: flag,
    apply_vat: flag,
    include_in_subtotal: flag,
    display_sales: whole,
    display_product: whole,
    display_list: whole,
    attributes: z.array(codeLabel),
  }),
});

const payments = z.object({
  pay_by_invoice_method: text,
  pay_by_invoice_invoicing_mode: text,
  credit_limits_enabled: flag,
  providers: z.record(z.string(), z.object({ magento_method: text })),
  available_terminal_payment_methods: z.array(codeLabel),
  builtin_refunds_enabled: flag,
});

/** The global config, every key of spec 2.1. */
export const globalConfigAnswer = z
  .strictObject({
    module_version: text,
    enabled: flag,
    require_staff_login: flag,
    share_held_carts: flag,
    require_terminal_registration: flag,
    default_order_status: text,
    default_payment_methods: text,
    default_allow_store_credit: whole,
    default_low_stock_threshold: whole,
    default_use_msi: flag,
    default_receipt_header: text,
    default_receipt_footer: text,
    default_receipt_show_staff_name: flag,
    default_receipt_show_order_number: flag,
    default_layaway_deposit_min_percent: z.number(),
    default_layaway_expiry_days: whole,
    default_layaway_cancellation_fee_percent: z.number(),
    default_pickup_queue_filter: text,
    card_payments: cardPayments,
    walk_in_customer: walkInCustomer,
    telemetry: z.object({ enabled: flag, force_enabled: flag, upload_hour: whole }),
    tax,
    enforcement: z.partialRecord(z.enum(enforcementFlags), z.enum(['0', '1'])),
    payments,
    credits: z.object({
      store_credit_includes_tax: flag,
      reward_points_includes_tax: flag,
      gift_card_includes_tax: flag,
      refund_to_store_credit: flag,
    }),
    license: z.object({ connected: flag }),
    has_credit_providers: flag,
    has_rma_providers: flag,
    has_wishlist: flag,
    has_customer_balance: flag,
    has_gift_card: flag,
    has_reward_points: flag,
    has_rma_module: flag,
    has_msi: flag,
    shipping_label_providers: z.array(z.unknown()),
    credit_providers: z.array(provider),
    rma_providers: z.array(provider),
  })
  .meta({ id: 'GlobalConfig' });
