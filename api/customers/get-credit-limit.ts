import { z } from 'zod';
import { readStoreSetting } from '../../db/configuration/read-store-setting.ts';
import { readCreditStanding } from '../../db/credit-limits/read-credit-standing.ts';
import { noSuchEntity } from '../../domain/errors.ts';
import { greatest, subtract, toWire, zero } from '../../domain/money/amount.ts';
import { route, type RouteContext } from '../http/route.ts';
import { idParam, integer } from '../wire/schemas.ts';
import { creditLimitWords } from './credit-limit-words.ts';
import { feedScope } from './feed-query.ts';

export const creditLimitAnswer = z
  .object({
    customer_id: z.int(),
    limit: z.number(),
    used: z.number(),
    available: z.number(),
    currency: z.string(),
    source: z.string(),
  })
  .meta({ id: 'CreditLimit' });

/**
 * How much a customer may still owe on a website, in its base currency (spec 2.18, 4.5).
 *
 * Refused with: 404 unknown customer or website.
 */
export const getCreditLimit = route({
  ...creditLimitWords,
  method: 'GET',
  path: '/V1/pos/customers/:customerId/credit-limit',
  acl: 'Platform_Customer::manage',
  summary: "A customer's credit limit and what is left of it",
  params: z.object({ customerId: idParam }),
  query: z.object({ websiteId: integer.default(0) }),
  response: creditLimitAnswer,

  handle: (context) => answerCreditLimit(context, { ...context.params, ...context.query }),
});

type Around = Pick<RouteContext, 'em' | 'providers' | 'store'>;

/** Website 0 is that of the store view the call runs in. */
export async function answerCreditLimit(
  { em, providers, store }: Around,
  of: { customerId: number; websiteId: number },
): Promise<z.input<typeof creditLimitAnswer>> {
  const { customerId } = of;
  const scope = await feedScope(em, { websiteId: of.websiteId, store });
  const payByInvoiceMethod = await readStoreSetting(em, payByInvoicePath, scope.storeId);
  const standing = await readCreditStanding(em, { customerId, websiteId: scope.websiteId, payByInvoiceMethod });
  if (!standing) throw noSuchEntity('customerId', customerId);
  const { limit, source } = await providers.creditLimits.resolve({ customerId, ...scope, standing });
  return {
    customer_id: customerId,
    limit: toWire(limit),
    used: toWire(standing.used),
    available: toWire(greatest(zero, subtract(limit, standing.used))),
    currency: standing.baseCurrencyCode,
    source,
  };
}

const payByInvoicePath = 'vendor_pos_terminal/payments/pay_by_invoice_method';
