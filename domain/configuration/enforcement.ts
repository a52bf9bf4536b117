/** Settings a merchant can lock on the device (spec 3.6), in the order of the interface. */
export const enforcementFlags = [
  ...(['receipt_header', 'receipt_footer', 'receipt_show_staff_name', 'receipt_show_order_number'] as const),
  ...(['receipt_show_receipt_number', 'receipt_show_sale_reference', 'receipt_qr', 'auto_print'] as const),
  ...(['payment_methods', 'card_payment_provider', 'allow_store_credit', 'provider_a_magento_method'] as const),
  ...(['provider_a_config', 'provider_b_config', 'provider_b_magento_method', 'pay_by_invoice_method'] as const),
  ...(['pay_by_invoice_invoicing_mode', 'refund_validity', 'cash_rounding_increment'] as const),
  ...(['require_open_session', 'store_details', 'tax_settings', 'low_stock_threshold', 'use_msi'] as const),
  ...(['held_carts', 'custom_sale_sku', 'categories', 'walk_in_customer', 'pickup_queue_filter'] as const),
  ...(['customer_prices', 'promo_attribute_lookup'] as const),
] as const;

export type EnforcementFlag = (typeof enforcementFlags)[number];

/** Where a flag is stored, per website. */
export const enforcementPath = <Flag extends EnforcementFlag>(flag: Flag) =>
  `vendor_pos_lock/enforcement/${flag}` as const;
