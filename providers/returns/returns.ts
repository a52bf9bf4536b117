import { createBuiltInReturns } from './built-in-returns.ts';
import { createRemoteReturns, type RemoteReturnsSettings } from './remote-returns.ts';
import type { ReturnsProvider, ReturnsProviders } from './returns-provider.ts';

export interface ReturnsParts {
  /** The outside service; absent: none. */
  remote: RemoteReturnsSettings | undefined;
  /** The setting of a store view; read at each use, so that a change counts at once. */
  readSetting: (path: ReturnsSetting, storeId: number) => Promise<string>;
}

export type ReturnsSetting = 'vendor_pos_terminal/returns/providers' | 'vendor_pos_advanced/returns/reasons';

/**
 * The returns providers, in the order in which they are asked: those that may refuse come before the built-in one,
 * which never does.
 */
export function createReturns({ remote, readSetting }: ReturnsParts): ReturnsProviders {
  const all: readonly ReturnsProvider[] = [
    ...(remote === undefined ? [] : [createRemoteReturns(remote)]),
    createBuiltInReturns({ readReasons: (storeId) => readSetting('vendor_pos_advanced/returns/reasons', storeId) }),
  ];
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
