import { readMemoRefund } from '../../db/refunds/read-memo-refund.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';

export type MemoRefundActivities = ReturnType<typeof createMemoRefundActivities>;

export const createMemoRefundActivities = ({ orm, gatewayTimeoutSeconds }: ActivityDependencies) => ({
  /** A refund of the platform's own routes, as its workflow needs it. Reads only. */
  loadMemoRefund: ({ attemptId }: { attemptId: number }) =>
    orRefused(async () => ({
      ...(await readMemoRefund(orm.em.fork(), attemptId)),
      gatewayTimeoutSeconds,
    })),
});
