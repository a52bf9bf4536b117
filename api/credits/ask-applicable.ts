import { z } from 'zod';
import { readCreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import { applicableCredit, type ApplicableCredit } from '../../domain/credits/applicable.ts';
import {
  creditKinds,
  creditUses,
  type Cart,
  type CreditKind,
  type SpendableCredit,
} from '../../domain/credits/applied-credit.ts';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { absolute, add, subtract, toWire, zero } from '../../domain/money.ts';
import type { CreditOwner, CreditProvider, CreditQuestion } from '../../providers/credits/credit-provider.ts';
import { inTime } from '../../providers/in-time.ts';
import { lookUpDeadline } from '../http/in-time.ts';
import { route, type RouteContext } from '../http/route.ts';
import { documented } from '../wire/criteria.ts';
import { refusalOf } from '../wire/refusal-of.ts';
import { growing, integer, recordId, storedMoney, text } from '../wire/schemas.ts';

/** The most lines; more than any cart has. */
const mostLines = 10_000;
const mostCredits = 100;

const figure = storedMoney.default(zero);

/** A register's question about a cart (spec 4.6), in the cart's currency. */
const applicableShape = {
  /** An unknown type is answered as unsupported, not refused. */
  credit_type: text(64),
  customer_id: recordId.optional(),
  code: text(255).optional(),
  store_id: recordId.optional(),
  subtotal: figure,
  subtotal_incl_tax: storedMoney.optional(),
  discount_amount: figure,
  discount_tax_compensation_amount: figure,
  shipping_amount: figure,
  shipping_incl_tax: storedMoney.optional(),
  shipping_discount_amount: figure,
  shipping_discount_tax_compensation_amount: figure,
  tax_amount: figure,
  grand_total: storedMoney.optional(),
  lines: z
    .array(
      growing({
        sku: text(255),
        qty: storedMoney.optional(),
        row_total: figure,
        row_total_incl_tax: storedMoney.optional(),
        discount_amount: figure,
      }),
    )
    .max(mostLines)
    .default([]),
  applied_credits: z
    .array(
      growing({
        credit_type: text(64).optional(),
        /** The key in answers that contain an order's credits. */
        kind: text(64).optional(),
        provider_code: text(64).optional(),
        code: text(255).optional(),
        amount: figure,
        points: integer.optional(),
        applies_as: z.enum(creditUses).default('tender'),
      }),
    )
    .max(mostCredits)
    .default([]),
};

const applicableRequest = z.object(applicableShape);
type ApplicableRequest = z.output<typeof applicableRequest>;

const anything = z.unknown().optional();

/** The same keys, whatever stands in them: what does not fit is answered with 200 as well (spec 4.6). */
const applicablePayload = z
  .object({
    credit_type: anything,
    customer_id: anything,
    code: anything,
    store_id: anything,
    subtotal: anything,
    subtotal_incl_tax: anything,
    discount_amount: anything,
    discount_tax_compensation_amount: anything,
    shipping_amount: anything,
    shipping_incl_tax: anything,
    shipping_discount_amount: anything,
    shipping_discount_tax_compensation_amount: anything,
    tax_amount: anything,
    grand_total: anything,
    lines: anything,
    applied_credits: anything,
  })
  .meta(documented(applicableRequest));

/** The cart in the rules' terms. An absent total is computed as the platform does. */
function cartOf(request: ApplicableRequest): Cart {
  return {
    subtotal: request.subtotal,
    subtotalInclTax: request.subtotal_incl_tax ?? request.subtotal,
    discountAmount: request.discount_amount,
    taxAmount: request.tax_amount,
    grandTotal: request.grand_total ?? totalOf(request),
    lines: request.lines.map((line) => ({
      sku: line.sku,
      rowTotal: line.row_total,
      rowTotalInclTax: line.row_total_incl_tax ?? line.row_total,
      discountAmount: line.discount_amount,
    })),
    appliedCredits: request.applied_credits.map((credit) => ({
      kind: kindOf(credit.credit_type ?? credit.kind),
      providerCode: credit.provider_code ?? null,
      code: credit.code ?? null,
      // The sign does not matter, as with discounts: a credit on the cart is a payment.
      amount: absolute(credit.amount),
      points: credit.points === undefined ? null : Math.abs(credit.points),
      appliesAs: credit.applies_as,
    })),
  };
}

/** Balances call points `loyalty_points`. An unknown type is another credit: the cart owes less by its amount. */
const kindOf = (type: string | undefined): CreditKind | null =>
  creditKinds.find((kind) => kind === (type === 'loyalty_points' ? 'reward_points' : type)) ?? null;

/** The discount includes the shipping's: it is not subtracted twice. */
const totalOf = (request: ApplicableRequest) =>
  subtract(
    add(
      request.subtotal,
      request.shipping_amount,
      request.tax_amount,
      request.discount_tax_compensation_amount,
      request.shipping_discount_tax_compensation_amount,
    ),
    absolute(request.discount_amount),
  );

/** What a cart may spend of one credit (spec 4.6). `points_rate` is what one point is worth in the cart's currency. */
const applicableAnswer = z
  .object({
    outcome: z.enum(['supported', 'unsupported', 'failed']),
    credit_type: z.string().nullable(),
    provider_code: z.string().nullable(),
    code: z.string().nullable(),
    applies_as: z.enum(['tender', 'discount']).nullable(),
    balance: z.number(),
    max_amount: z.number(),
    min_amount: z.number(),
    min_points: z.number().nullable(),
    max_points: z.number().nullable(),
    points_rate: z.number().nullable(),
    points_granularity: z.number().nullable(),
    amount_step: z.number(),
    round_rule: z.string(),
    is_redeemable: z.boolean(),
    reason: z.string().nullable(),
    lines: z.array(z.object({ sku: z.string(), is_eligible: z.boolean(), reason: z.string().nullable() })),
  })
  .meta({ id: 'ApplicableCredit' });
type ApplicableAnswer = z.input<typeof applicableAnswer>;

/** Amounts are rounded down to whole coins. */
const roundRule = 'floor';

const renderSupported = (credit: SpendableCredit, found: ApplicableCredit): ApplicableAnswer => ({
  outcome: 'supported',
  credit_type: credit.kind,
  provider_code: credit.providerCode,
  code: credit.code,
  applies_as: credit.appliesAs,
  balance: found.points ?? toWire(found.balance),
  max_amount: toWire(found.maxAmount),
  min_amount: toWire(found.minAmount),
  min_points: found.minPoints,
  max_points: found.maxPoints,
  points_rate: found.pointsRate,
  points_granularity: found.pointsGranularity,
  amount_step: toWire(found.amountStep),
  round_rule: roundRule,
  is_redeemable: found.isRedeemable,
  reason: found.reason,
  lines: found.lines.map(({ sku, isEligible, reason }) => ({ sku, is_eligible: isEligible, reason })),
});

/** Nothing may be spent, and the reason (spec 4.6). */
const renderNothing = (input: {
  outcome: 'unsupported' | 'failed';
  reason: string;
  kind?: string;
  providerCode?: string;
  code?: string | undefined;
  skus?: readonly string[];
}): ApplicableAnswer => ({
  outcome: input.outcome,
  credit_type: input.kind ?? null,
  provider_code: input.providerCode ?? null,
  code: input.code ?? null,
  applies_as: null,
  balance: 0,
  max_amount: 0,
  min_amount: 0,
  min_points: null,
  max_points: null,
  points_rate: null,
  points_granularity: null,
  amount_step: 0,
  round_rule: roundRule,
  is_redeemable: false,
  reason: input.reason,
  lines: (input.skus ?? []).map((sku) => ({ sku, is_eligible: false, reason: input.reason })),
});

/** What a cart may spend of one kind of credit (spec 4.6): always 200, and nothing is ever written. */
export const askApplicable = route({
  method: 'POST',
  path: '/V1/pos/credits/applicable',
  acl: 'Vendor_Pos::locations',
  summary: 'What a cart may spend of one kind of credit',
  name: 'askApplicableCredit',
  description: `What a cart may spend of one kind of credit, in the cart’s currency. Always 200, and nothing is
    written: credit is taken when the order is saved. \`outcome\` \`unsupported\` and \`failed\` let nothing be spent;
    \`reason\` says why. Offer amounts between \`min_amount\` and \`max_amount\`, in steps of \`amount_step\`.`,
  outcomes: [],
  commits: 'several',
  body: applicablePayload,
  response: applicableAnswer,
  isPrivate: true,

  async handle(request) {
    const parsed = applicableRequest.safeParse(request.body, { reportInput: true });
    if (parsed.success) return answerTo(parsed.data, request);
    const reason = inWords(refusalOf(parsed.error.issues, request.body).refusal);
    return renderNothing({ outcome: 'failed', reason, ...whatCanBeRead(request.body) });
  },
});

/** Of what does not fit as a whole: a register finds its question again. */
const readable = z.object({
  credit_type: z.string().max(64).optional().catch(undefined),
  lines: z
    .array(z.object({ sku: z.string().max(255) }))
    .max(mostLines)
    .catch([]),
});

function whatCanBeRead(body: unknown): { kind?: string; skus: string[] } {
  const { credit_type: kind, lines } = readable.parse(body);
  return { ...(kind === undefined ? {} : { kind }), skus: lines.map(({ sku }) => sku) };
}

async function answerTo(request: ApplicableRequest, { em, providers, store, log }: RouteContext) {
  const { credit_type: type, code } = request;
  const kind = creditKinds.find((one) => one === type);
  const skus = request.lines.map(({ sku }) => sku);
  const nothing = (outcome: 'unsupported' | 'failed', reason: string) =>
    renderNothing({ outcome, reason, kind: type, code, skus });
  if (kind === undefined) return nothing('unsupported', noProviderFor(type));
  try {
    const scope = await readCreditScope(em, request.store_id ?? store.storeId);
    if (scope.websiteId === 0) return nothing('failed', 'There is no such store view.');
    const able = providers.credits.enabled(scope.settings).filter((provider) => provider.kind === kind);
    if (able.length === 0) return nothing('unsupported', noProviderFor(type));
    const owner = { customerId: request.customer_id ?? null, code: code ?? null };
    const credit = await firstThatKnows(able, { ...owner, scope, deadline: lookUpDeadline() });
    if (!credit) return nothing('failed', whyUnknown(request, kind));
    const currency = { code: scope.currencyCode, baseToCartRate: scope.baseToStoreRate };
    return renderSupported(credit, applicableCredit(credit, cartOf(request), currency));
  } catch (error) {
    if (error instanceof PosError) return nothing('failed', inWords(error.refusal));
    // An amount beyond what can be counted is the register's; everything else is ours or the provider's.
    if (error instanceof RangeError) return nothing('failed', 'The amounts are too large.');
    log.warn({ kind, error }, 'what a cart may spend could not be worked out');
    return nothing('failed', 'The credit provider does not answer.');
  }
}

/** Every provider may know a gift card. For the other kinds only the active one is called (spec 4.6). */
async function firstThatKnows(
  able: readonly CreditProvider[],
  question: CreditQuestion & CreditOwner,
): Promise<SpendableCredit | undefined> {
  for (const provider of able) {
    const credit = await inTime(provider.spendable(question), question.deadline);
    if (credit !== undefined || provider.kind !== 'gift_card') return credit;
  }
  return undefined;
}

const noProviderFor = (type: string) => `No provider is installed for credit type ${type}.`;

function whyUnknown({ code, customer_id: customerId }: ApplicableRequest, kind: CreditKind): string {
  if (kind === 'gift_card')
    return code ? `Gift card with code ${code} not found.` : 'A gift card is named by its code.';
  return customerId === undefined ? 'This credit belongs to a customer; name one.' : 'There is no such customer.';
}
