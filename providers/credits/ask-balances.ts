import type { Log } from '../log.ts';
import { inTime } from '../in-time.ts';
import type { CreditBalance, CreditQuestion } from './credit-provider.ts';
import type { Credits } from './credits.ts';

/**
 * The balances of a customer at every active provider (spec 4.6). All are asked at once; a provider that throws or
 * misses the deadline is skipped and logged.
 */
export async function askBalances(
  credits: Credits,
  { customerId, scope, deadline }: CreditQuestion & { customerId: number },
  log: Pick<Log, 'warn'>,
): Promise<CreditBalance[]> {
  const asked = credits.enabled(scope.settings).map(async (provider) => {
    try {
      return await inTime(provider.balances({ customerId, scope, deadline }), deadline);
    } catch (error) {
      log.warn({ provider: provider.code, error }, 'a credit provider was skipped');
      return [];
    }
  });
  return (await Promise.all(asked)).flat();
}
