/** What a role can allow (spec 2.6). The register enforces it; the API's own rights are ACL resources. */

export const permissionKeys = [
  ...['place_orders', 'apply_discounts', 'apply_coupons', 'custom_line_items', 'issue_refunds', 'approve_rma'],
  ...['void_orders', 'price_override', 'tax_exempt_sales', 'reverse_charge'],
  ...['accept_cash', 'accept_card', 'accept_split_payment', 'accept_store_credit', 'pay_by_invoice'],
  ...['open_register', 'close_register', 'cash_in_out', 'view_register_history'],
  ...['view_customers', 'create_customers', 'edit_customers', 'assign_customer_group'],
  ...['view_products', 'view_stock_levels', 'manage_stock', 'assign_source_to_product', 'toggle_ship_together'],
  'edit_dashboard',
  ...['view_reports', 'view_daily_summary', 'export_reports'],
  ...['view_users', 'manage_users', 'assign_roles', 'view_audit_log'],
  ...['access_settings', 'settings_view_all', 'settings_license', 'settings_scanner', 'settings_printers'],
  ...['settings_payment_terminal', 'settings_customer_display', 'settings_self_checkout', 'settings_appearance'],
  ...['open_cash_drawer', 'print_receipts', 'print_barcode_labels'],
  ...['hold_cart', 'recall_any_cart'],
] as const;

/** No longer offered, but older apps still read it: role data keeps it beside its successors. */
export const legacyPermissionKeys = ['configure_hardware'] as const;

const known: ReadonlySet<string> = new Set([...permissionKeys, ...legacyPermissionKeys]);

/**
 * Reads the JSON text of a role's permissions. Missing keys mean denied.
 *
 * @returns one sentence that says what is wrong, or undefined when it is a flat object of known keys and booleans
 */
export function permissionsFault(text: string): string | undefined {
  const permissions = parsed(text);
  if (typeof permissions !== 'object' || permissions === null || Array.isArray(permissions))
    return 'Permissions must be a JSON object of boolean keys, as a string.';
  const [unknownKey] = Object.keys(permissions).filter((key) => !known.has(key));
  if (unknownKey !== undefined) return `"${unknownKey.slice(0, 64)}" is not a permission.`;
  const wrong = Object.entries(permissions).find(([, value]) => typeof value !== 'boolean');
  return wrong && `The permission "${wrong[0]}" must be true or false.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
