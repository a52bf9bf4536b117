import { isCartIdentity } from '../../domain/held-carts/cart-identity.ts';
import { growing, integer, storedMoney, text } from '../wire/schemas.ts';

/** Half of the largest body (our choice); a cart of a hundred lines is a tenth of it. */
const longestCart = 524_288;
const longestComment = 10_000;

/** The register's own name for a cart, as it was sent: a UUID, or another id of its client. */
export const cartUuid = text(100).refine(isCartIdentity);

/** A cart that a register parks (spec 4.4). It grows by version: unknown keys are ignored. */
export const heldCartPayload = growing({
  locationId: integer,
  cartUuid,
  cartData: text(longestCart),
  customerName: text(255).optional(),
  itemCount: integer.refine((count) => count >= 0).optional(),
  grandTotal: storedMoney.optional(),
  currencyCode: text(3).optional(),
  staffId: integer.optional(),
  staffName: text(255).optional(),
  terminalId: integer.optional(),
  holdComment: text(longestComment).optional(),
}).meta({ id: 'HeldCart' });
