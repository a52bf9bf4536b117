import {
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { CreditAnswer, CreditRefundActivities } from '../activities/credits.ts';
import { giveSeconds } from '../domain/credits/applied-credit.ts';
import { noSuchDocument } from '../domain/errors.ts';
import { inWords } from '../domain/fill-in.ts';
import { markdownLiteral } from '../domain/markdown-literal.ts';
import { minorDigits } from '../domain/money.ts';
import { isRefused, type Outcome, type Refused } from '../domain/outcome.ts';
import { refundNotWrittenDown } from '../domain/refusals/money.ts';
import { giveUpdate, type CreditRefundInput } from './messages.ts';
import { graceSeconds, mustHappen, whileSomebodyWaits } from './support/activity-options.ts';
import { Renewal } from './support/renewal.ts';

const { reserveCredit } = proxyLocalActivities<CreditRefundActivities>(whileSomebodyWaits);
const { loadCredit } = proxyActivities<CreditRefundActivities>(mustHappen);
/** One try: whoever waits hears that it failed, and the loop below tries again. */
const { giveCredit } = proxyActivities<CreditRefundActivities>({
  scheduleToCloseTimeout: `${giveSeconds + 2 * graceSeconds} seconds`,
  startToCloseTimeout: `${giveSeconds + graceSeconds} seconds`,
  retry: { maximumAttempts: 1 },
  summary: 'ask the provider for the credit',
});

type Reserved = Awaited<ReturnType<CreditRefundActivities['loadCredit']>>;

/** Between one answer of the provider and the next. */
interface Talk {
  last: Outcome<{ answer: CreditAnswer }>;
  /** How often the provider was asked. */
  tries: number;
  /** How many callers wanted to hear its answer. */
  callers: number;
  /** How many of them an ask that has begun is for. */
  served: number;
  isOver: boolean;
}

/** Seconds until a silent provider is asked again; the last pause is repeated. Our choice. */
const pauses = [60, 60, 120, 300] as const;
const longestPause = 600;

/** A run with a longer history continues as new: a provider may be away for days. */
const maxEvents = 40;

/**
 * Gives credit back at a provider outside (spec 4.6): the amount is reserved, the provider is asked, its answer is
 * booked. It is open until the provider has said yes or no, however long that takes. Each time it is asked under the
 * same key, so that it gives once.
 *
 * Its input is one request, whose repeats find the same run or the same row. A card's code and the reason are sealed. A
 * request to cancel it has the provider asked now.
 *
 * @returns `booked` or `failed`, as in PostgreSQL, or `refused`: then nothing was reserved
 */
export function creditRefundWorkflow(input: CreditRefundInput): Promise<string> {
  const talk: Talk = { last: { answer: 'unknown' }, tries: input.tries ?? 0, callers: 0, served: 0, isOver: false };
  setHandler(
    giveUpdate,
    async () => {
      const heard = talk.tries;
      talk.callers++;
      await condition(() => talk.isOver || talk.tries > heard);
      return talk.last;
    },
    { description: 'Has the provider asked now, and waits for what it says.' },
  );
  CancellationScope.current().cancelRequested.catch(() => talk.callers++);
  return CancellationScope.nonCancellable(() => carryOut(input, talk));
}

async function carryOut(input: CreditRefundInput, talk: Talk): Promise<string> {
  const reserved = await reserve(input);
  if (isRefused(reserved)) {
    setCurrentDetails(`Refused: ${markdownLiteral(inWords(reserved.refused))} ${requestedBy(input)}`);
    talk.last = reserved;
  } else if (reserved.state === 'reserved') talk.last = { answer: await giveUntilDecided(reserved, talk, input) };
  else talk.last = { answer: reserved.state };
  talk.isOver = true;
  await condition(allHandlersFinished);
  return isRefused(talk.last) ? 'refused' : talk.last.answer;
}

async function reserve({ orderId, requestKey, asked, refundId }: CreditRefundInput): Promise<Reserved | Refused> {
  if (refundId !== undefined) return loadCredit({ refundId });
  if (asked === undefined) return { refused: noSuchDocument().refusal };
  const { wish, command } = asked;
  try {
    return await reserveCredit({ ...wish, orderId, requestKey, beginBefore: command.beginBefore });
  } catch (error) {
    // Where it was reserved after all, the sweep takes it up.
    if (error instanceof ActivityFailure) return { refused: refundNotWrittenDown().refusal };
    throw error;
  }
}

async function giveUntilDecided(
  reserved: Reserved,
  talk: Talk,
  input: CreditRefundInput,
): Promise<'booked' | 'failed'> {
  const by = requestedBy(input);
  const renewal = new Renewal(() => workflowInfo().historyLength > maxEvents);
  for (;;) {
    if (talk.tries > 0) await pauseBefore(reserved, talk, by);
    talk.served = talk.callers;
    setCurrentDetails(`Gives ${sumOf(reserved)}. Waits for the provider. ${by}`);
    const answer = await ask(reserved.refundId);
    if (answer === 'booked' || answer === 'failed') {
      setCurrentDetails(`${endInWords[answer]} ${sumOf(reserved)}. ${by}`);
      return answer;
    }
    talk.last = { answer };
    talk.tries++;
    if (await renewal.isDue(() => talk.callers > talk.served))
      await continueAsNew<typeof creditRefundWorkflow>({ ...input, refundId: reserved.refundId, tries: talk.tries });
  }
}

async function pauseBefore(reserved: Reserved, talk: Talk, by: string): Promise<void> {
  const { tries } = talk;
  const pause = pauses[tries - 1] ?? longestPause;
  const isPresent = !isRefused(talk.last) && talk.last.answer === 'credited';
  setCurrentDetails(
    `${silenceInWords[isPresent ? 'credited' : 'unknown']} ${sumOf(reserved)}, asked ${tries} time${tries === 1 ? '' : 's'}. ` +
      `The amount stays reserved; the provider is asked again within ${pause} seconds. ${by}`,
  );
  await condition(() => talk.callers > talk.served, pause * 1_000, { summary: 'then the provider is asked again' });
}

/** A worker that dies or cannot do it is a provider that says nothing. */
async function ask(refundId: number): Promise<CreditAnswer> {
  try {
    return await giveCredit({ refundId });
  } catch {
    return 'unknown';
  }
}

/** The texts of its page. Words from outside are Markdown literals. */
const sumOf = ({ amount, currencyCode, kind, providerCode, incrementId }: Reserved) =>
  `**${amount.toFixed(minorDigits(currencyCode))} ${markdownLiteral(currencyCode)}** of order ${markdownLiteral(incrementId)} as ${kind.replace('_', ' ')} at ${markdownLiteral(providerCode)}`;

const endInWords = { booked: 'Gave', failed: 'The provider refused to give' };
const silenceInWords = {
  unknown: 'Nobody knows yet whether the provider gave',
  credited: 'The provider gave, and the books could not take,',
};

const requestedBy = ({ asked }: CreditRefundInput) =>
  asked === undefined
    ? 'Taken up again, after its first run was lost.'
    : `Asked for by ${markdownLiteral(asked.command.by)} (request ${markdownLiteral(asked.command.requestId)}).`;
