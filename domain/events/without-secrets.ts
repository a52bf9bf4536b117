/**
 * Keys that no event shows, wherever they stand in an object: secrets, card data, and what terminals and gateways said, which
 * may hold either. The object's own route still answers them, to whoever may call it.
 */
const untold =
  /^(?:cc_\w+|protect_code|receipt_token|activation_code|additional_information|payment_additional_info|account_status|last_trans_id|raw_payload|terminal_raw_payload|terminal_info|terminal_payment_id|receipt_model|split_payments|config_overrides|remote_ip|x_forwarded_for)$/;

/** A copy of an object without them. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (untold.test(key) ? [] : [[key, withoutSecrets(inner)]])),
  );
}
