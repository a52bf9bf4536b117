import { builtInCode } from '../../domain/returns/built-in-code.ts';
import { noObjection } from '../../domain/returns/eligibility.ts';
import { builtInOptions } from '../../domain/returns/return-options.ts';
import { NotAttempted, type ReturnsProvider } from './returns-provider.ts';

/** The shop's own returns provider: its rules are settings, its record is our own row, so it accepts every return. */
export const createBuiltInReturns = ({
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
