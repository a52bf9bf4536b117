import { z } from 'zod';
import { invalid, PosError } from '../domain/errors.ts';
import { formatQuantity, type Quantity } from '../domain/money.ts';
import { builtInCode, noObjection, type VendorVerdict } from '../domain/returns/eligibility.ts';
import {
  builtInOptions,
  resolutionBehaviors,
  type ReturnOption,
  type ReturnOptions,
} from '../domain/returns/return-status.ts';
import { inTime } from './in-time.ts';
import { postJson, type JsonAnswer } from './post-json.ts';

/** A line of a sale in a question to a provider. */
export interface LineInQuestion {
  orderItemId: number;
  sku: string;
  qty: Quantity;
}

interface SaleInQuestion {
  orderIncrementId: string;
  storeId: number;
  lines: readonly LineInQuestion[];
}

export interface ReturnedLine extends LineInQuestion {
  reason: string | null;
  condition: string | null;
  resolution: string | null;
}

/** A return that a provider is asked to take on. */
export interface ReturnToTakeOn {
  /** The key of the request: a repeat with the same key is the same return. */
  requestKey: string;
  orderIncrementId: string;
  storeId: number;
  lines: readonly ReturnedLine[];
  /** An existing return: its provider, and the provider's reference. */
  existing?: { providerCode: string; reference: string | null };
}

export interface TakenOn {
  /** The provider's reference of the return; null where only our own row exists. */
  reference: string | null;
  /** False: the provider keeps the goods, and our stock does not change. */
  isRestockedHere: boolean;
}

/**
 * Runs returns (spec 4.8): decides about goods and keeps its own record of them. The money and the return's row are
 * always ours.
 *
 * Every method is called without a lock or a transaction, ends by its own deadline, and may be called again.
 */
export interface ReturnsProvider {
  readonly code: string;
  readonly label: string;
  /** Reasons, conditions and resolutions of a store view. Throws when it cannot answer. */
  options(storeId: number): Promise<ReturnOptions>;
  /** The vendor's refusals beyond quantity, catalog and period. Throws when it cannot answer. */
  vendorRule(sale: SaleInQuestion): Promise<VendorVerdict>;
  /**
   * Takes a return on; a repeat with the same key gives the same answer.
   *
   * Throws `NotAttempted` only when it wrote nothing: then the next provider is asked. A `PosError` is a definite no.
   * After any other error it is unknown what it wrote.
   */
  takeOn(request: ReturnToTakeOn): Promise<TakenOn>;
}

/** Thrown by a provider that wrote nothing: only this error passes the return to the next provider. */
export class NotAttempted extends Error {
  override name = 'NotAttempted';
}

/** The returns providers of this installation. */
export interface ReturnsProviders {
  /** All of them, in order, enabled or not. */
  readonly all: readonly ReturnsProvider[];
  /** The providers of a store, in order; empty: the store has no returns module. */
  inOrder(storeId: number): Promise<readonly ReturnsProvider[]>;
  byCode(code: string): ReturnsProvider | undefined;
}

/** The shop's own returns provider: its rules are settings, its record is our own row, so it accepts every return. */
const createBuiltInReturns = ({
  readReasons,
}: {
  readReasons: (storeId: number) => Promise<string>;
}): ReturnsProvider => ({
  code: builtInCode,
  label: 'Built-in returns',
  options: async (storeId) => builtInOptions(await readReasons(storeId)),
  vendorRule: async () => noObjection,

  async takeOn({ existing }) {
    if (existing && existing.providerCode !== builtInCode)
      throw new NotAttempted(`The return belongs to "${existing.providerCode}".`);
    return { reference: null, isRestockedHere: true };
  },
});

interface RemoteReturnsSettings {
  baseUrl: string;
  apiKey: string | undefined;
  timeoutMs: number;
}

const short = z.string().min(1).max(64);
const option = z.object({
  id: short,
  label: short,
  behavior: z.enum(resolutionBehaviors).nullish(),
  is_store_credit: z.boolean().nullish(),
});
const list = z.array(option).max(100);
const optionsAnswer = z.object({ reasons: list, conditions: list, resolutions: list });
const sentence = z.string().min(1).max(500);
const verdictAnswer = z.object({
  order: sentence.nullish(),
  lines: z.array(z.object({ order_item_id: z.int(), reason: sentence })).max(1_000),
});
const taken = z.object({ return_number: z.string().min(1).max(255), restock_here: z.boolean().default(false) });
const refusal = z.object({ code: z.string().max(64), message: sentence });

/** In bytes: enough for all options of a store. */
const longestAnswer = 256 * 1024;

/** The service's code for a request that it did not begin. */
const notAttempted = 'not_attempted';

/**
 * An outside returns service, over HTTP: it authorises returns and keeps the goods (the protocol is our choice).
 *
 * A call that provably never left, and the documented `not_attempted`, are `NotAttempted`. A documented 4xx is a no.
 * After anything else the outcome is unknown.
 */
function createRemoteReturns(settings: RemoteReturnsSettings): ReturnsProvider {
  const ask = (path: string, body: unknown, idempotencyKey?: string) =>
    postJson({ ...settings, path, body, idempotencyKey, longestAnswer });
  return {
    code: 'warehouse',
    label: 'Returns warehouse',

    async options(storeId) {
      const answer = optionsAnswer.safeParse(bodyOf(await ask('/v1/options', { store_id: storeId })));
      if (!answer.success) throw notUnderstood();
      const { reasons, conditions, resolutions } = answer.data;
      return {
        reasons: reasons.map(plain),
        conditions: conditions.map(plain),
        resolutions: resolutions.map((one) => ({
          id: one.id,
          label: one.label,
          behavior: one.behavior ?? 'unsupported',
          isStoreCredit: one.is_store_credit ?? false,
        })),
      };
    },

    async vendorRule(sale) {
      const answer = verdictAnswer.safeParse(bodyOf(await ask('/v1/eligibility', saleBody(sale))));
      if (!answer.success) throw notUnderstood();
      return {
        order: answer.data.order ?? null,
        lines: Object.fromEntries(answer.data.lines.map((line) => [line.order_item_id, line.reason])),
      };
    },

    async takeOn(request) {
      if (request.existing && request.existing.providerCode !== 'warehouse')
        throw new NotAttempted(`The return belongs to "${request.existing.providerCode}".`);
      return readTaken(await ask('/v1/returns', returnBody(request), request.requestKey));
    },
  };
}

const plain = ({ id, label }: { id: string; label: string }): ReturnOption => ({
  id,
  label,
  behavior: null,
  isStoreCredit: null,
});

const bodyOf = (answer: JsonAnswer) => ('status' in answer && answer.status === 200 ? answer.body : undefined);

const notUnderstood = () => new Error('It gave no answer that can be read.');

const saleBody = ({ orderIncrementId, storeId, lines }: SaleInQuestion) => ({
  order: orderIncrementId,
  store_id: storeId,
  lines: lines.map(({ orderItemId, sku, qty }) => ({ order_item_id: orderItemId, sku, qty: formatQuantity(qty) })),
});

const returnBody = ({ existing, ...request }: ReturnToTakeOn) => ({
  ...saleBody(request),
  lines: request.lines.map(({ orderItemId, sku, qty, reason, condition, resolution }) => ({
    order_item_id: orderItemId,
    sku,
    qty: formatQuantity(qty),
    reason,
    condition,
    resolution,
  })),
  return_number: existing?.reference ?? null,
});

function readTaken(answer: JsonAnswer) {
  if ('failure' in answer && !answer.isSent) throw new NotAttempted(`It ${answer.failure} (${answer.code ?? 'late'}).`);
  if ('failure' in answer) throw new Error(`It ${answer.failure}.`);
  const { status, body } = answer;
  const yes = taken.safeParse(body);
  if ((status === 200 || status === 201) && yes.success)
    return { reference: yes.data.return_number, isRestockedHere: yes.data.restock_here };
  const no = refusal.safeParse(body);
  if (no.success && no.data.code === notAttempted) throw new NotAttempted(no.data.message);
  if (no.success && status >= 400 && status < 500) throw invalid(no.data.message, { code: no.data.code });
  throw new Error(`It answered ${status} with something unreadable.`);
}

export interface ReturnsParts {
  /** The outside service; absent: none. */
  remote: RemoteReturnsSettings | undefined;
  readSetting: ReadReturnsSetting;
}

export type ReturnsSetting = 'vendor_pos_terminal/returns/providers' | 'vendor_pos_advanced/returns/reasons';

/** The setting of a store view; read at each use, so that a change counts at once. */
type ReadReturnsSetting = (path: ReturnsSetting, storeId: number) => Promise<string>;

/**
 * The returns providers, in the order in which they are asked: those that may refuse come before the built-in one,
 * which never does.
 */
export const createReturns = ({ remote, readSetting }: ReturnsParts): ReturnsProviders =>
  returnsOf(
    [
      ...(remote === undefined ? [] : [createRemoteReturns(remote)]),
      createBuiltInReturns({ readReasons: (storeId) => readSetting('vendor_pos_advanced/returns/reasons', storeId) }),
    ],
    readSetting,
  );

/**
 * These providers, in this order.
 *
 * @param longestMs how long one of them is waited for, whatever its own deadline is
 */
export function returnsOf(
  providers: readonly ReturnsProvider[],
  readSetting: ReadReturnsSetting,
  longestMs: number = longerThanAnyTimeoutMs,
): ReturnsProviders {
  // The built-in one asks our own database, whose faults are told in other words.
  const all = providers.map((one) => (one.code === builtInCode ? one : bounded(one, longestMs)));
  return {
    all,
    byCode: (code) => all.find((provider) => provider.code === code),
    async inOrder(storeId) {
      const enabled = codesIn(await readSetting('vendor_pos_terminal/returns/providers', storeId));
      return all.filter(({ code }) => enabled.includes(code));
    },
  };
}

/** The codes of the setting: `warehouse,builtin`. */
export const codesIn = (setting: string): string[] =>
  setting
    .split(',')
    .map((code) => code.trim())
    .filter((code) => code !== '');

/** Of `RETURNS_TIMEOUT_SECONDS` 15 is the most; Temporal gives a step up after 20 seconds. */
const longerThanAnyTimeoutMs = 16_000;

const takenOn = z.object({ reference: z.string().min(1).max(255).nullable(), isRestockedHere: z.boolean() });

/**
 * The provider as its callers need it, however it is written: it answers within the time, and what it throws while it
 * is only asked means that it cannot be asked. After `takeOn` such an error stays what it is: nobody knows what it
 * wrote.
 */
function bounded(provider: ReturnsProvider, longestMs: number): ReturnsProvider {
  const { code, label } = provider;
  const within = async <Answer>(work: () => Promise<Answer>) =>
    inTime(
      // What throws at once is told as what fails later.
      Promise.resolve().then(work),
      new Date(Date.now() + longestMs),
    );
  const ask = async <Answer>(work: () => Promise<Answer>) => {
    try {
      return await within(work);
    } catch (error) {
      throw error instanceof PosError ? error : cannotBeQueried(code, error);
    }
  };
  return {
    code,
    label,
    options: (storeId) => ask(() => provider.options(storeId)),
    vendorRule: (sale) => ask(() => provider.vendorRule(sale)),
    async takeOn(request) {
      const answer = takenOn.safeParse(await within(() => provider.takeOn(request)));
      if (!answer.success) throw new Error('It answered something that is no return.');
      return answer.data;
    },
  };
}

const cannotBeQueried = (code: string, cause: unknown) =>
  new PosError(
    { status: 503, message: `The returns provider "${code}" cannot be asked. Try again in a moment.` },
    { cause },
  );
