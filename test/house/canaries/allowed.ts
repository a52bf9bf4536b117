/** Where a secret may stand, each with the reason. Whatever is not here is a leak. */

/** Answers: `METHOD /path` with ids as `:id`, then the kinds of secrets. */
export const allowedAnswers: Readonly<Record<string, readonly RegExp[]>> = {
  // Devices get their keys in the two config routes (spec 2.1, 2.2).
  'GET /V1/pos/config': [/^setting /],
  'GET /V1/pos/terminals/:id/config': [/^setting /, /^license (token|key)$/, /^fiscal key$/],
  // A terminal's own license and fiscal credentials (spec 4.2).
  'POST /V1/pos/terminals/activate': [/^fiscal key$/],
  'POST /V1/pos/terminals/:id/heartbeat': [/^license token$/],
  'POST /V1/pos/terminals/:id/license/refresh': [/^license token$/, /^fiscal key$/],
  // The administrator who makes a terminal hands its code on.
  'POST /V1/pos/terminals': [/^activation code$/],
  // Tokens are told once, to whom they are issued; a session is told again to the holder of its token (spec 2.7).
  'POST /V1/integration/admin/token': [/^admin token$/],
  'POST /V1/integration/customer/token': [/^customer token$/],
  'POST /V1/pos/staff/authenticate': [/^session token$/],
  'POST /V1/pos/staff/session/validate': [/^session token$/],
  // A receipt is printed with its token, by any register (spec 4.9).
  'POST /V1/pos/receipts': [/^receipt/],
  'GET /V1/pos/receipts': [/^receipt/],
  'GET /V1/pos/receipts/:id': [/^receipt/],
  // The code of a gift card, to the caller who sent it (spec 2.10, 4.6).
  'GET /V1/pos/credits/giftcard/:code': [/gift card code$/],
  'POST /V1/pos/credits/applicable': [/^gift card code$/],
};

/** Columns that hold a secret as it is. */
export const allowedColumns: Readonly<Record<string, readonly RegExp[]>> = {
  // Looked up and spent by its code; the key is the code in one spelling.
  'gift_card.code': [/^gift card code$/],
  'gift_card.code_key': [/^gift card code$/],
  // What goes back has to find its card.
  'order_credit.code': [/^gift card code$/],
  'credit_refund.code': [/gift card code$/],
  // Names a license at the service, which asks for a key of its own.
  'pos_license.license_key': [/^license key$/],
  // Read out by an administrator; worthless once it was used.
  'pos_terminal.activation_code': [/^activation code$/],
};
