import { z } from 'zod';
import { readCreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import { creditKinds, type CreditKind } from '../../domain/credits/applied-credit.ts';
import { applicableCredit } from '../../domain/credits/applicable.ts';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import type { SpendableCredit } from '../../domain/credits/spendable-credit.ts';
import type { CreditOwner, CreditProvider, CreditQuestion } from '../../providers/credits/credit-provider.ts';
import { inTime } from '../../providers/in-time.ts';
import { refusalOf } from '../wire/refusal-of.ts';
import { route, type RouteContext } from '../http/route.ts';
import {
  applicablePayload,
  applicableRequest,
  cartOf,
  mostLines,
  type ApplicableRequest,
} from './applicable-payload.ts';
import { lookUpDeadline } from '../http/register/look-up-deadline.ts';
import { applicableAnswer, renderNothing, renderSupported } from './render-applicable.ts';

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

async function answerTo(asked: ApplicableRequest, { em, providers, store, log }: RouteContext) {
  const { credit_type: type, code } = asked;
  const kind = creditKinds.find((one) => one === type);
  const skus = asked.lines.map(({ sku }) => sku);
  const nothing = (outcome: 'unsupported' | 'failed', reason: string) =>
    renderNothing({ outcome, reason, kind: type, code, skus });
  if (kind === undefined) return nothing('unsupported', noProviderFor(type));
  try {
    const scope = await readCreditScope(em, asked.store_id ?? store.storeId);
    if (scope.websiteId === 0) return nothing('failed', 'There is no such store view.');
    const able = providers.credits.enabled(scope.settings).filter((provider) => provider.kind === kind);
    if (able.length === 0) return nothing('unsupported', noProviderFor(type));
    const owner = { customerId: asked.customer_id ?? null, code: code ?? null };
    const credit = await firstThatKnows(able, { ...owner, scope, deadline: lookUpDeadline() });
    if (!credit) return nothing('failed', whyUnknown(asked, kind));
    const currency = { code: scope.currencyCode, baseToCartRate: scope.baseToStoreRate };
    return renderSupported(credit, applicableCredit(credit, cartOf(asked), currency));
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
