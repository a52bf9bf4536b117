import { z } from 'zod';
import { PosError } from '../../domain/errors.ts';
import { builtInCode } from '../../domain/returns/built-in-code.ts';
import { inTime } from '../in-time.ts';
import { createBuiltInReturns } from './built-in-returns.ts';
import { createRemoteReturns, type RemoteReturnsSettings } from './remote-returns.ts';
import type { ReturnsProvider, ReturnsProviders } from './returns-provider.ts';

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
 * The provider as its callers need it, however it is written: it answers within the time, and what it throws while it is
 * only asked means that it cannot be asked. After `takeOn` such an error stays what it is: nobody knows what it wrote.
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
      throw error instanceof PosError ? error : cannotBeAsked(code, error);
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

const cannotBeAsked = (code: string, cause: unknown) =>
  new PosError(
    { status: 503, message: `The returns provider "${code}" cannot be asked. Try again in a moment.` },
    { cause },
  );
