import { asyncLocalStorage, type Context } from '@temporalio/activity';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createActivities } from '../../../activities/index.ts';
import { createCredits } from '../../../providers/credits/credits.ts';
import type { PaymentGateway } from '../../../providers/gateways/payment-gateway.ts';
import type { ReturnsProvider } from '../../../providers/returns.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { builtInReturns, silent, testSecrets } from '../../support/fakes.ts';
import { tableSums, type TableSums } from './table-sums.ts';

export type Activities = ReturnType<typeof createActivities>;

export interface Worker {
  orm: MikroORM;
  activities: Activities;
  locationId: number;
  sums: TableSums;
  close(): Promise<void>;
}

/** Prepares one piece of work, and answers how to do it. */
export type Arrange = (worker: Worker) => Promise<() => Promise<unknown>>;

/** Refunds everything, and names each refund after its attempt. */
const gateway: PaymentGateway = {
  code: 'fake',
  canLookUp: true,
  account: 'one',
  canTrack: () => true,
  refund: ({ merchantReference }) =>
    Promise.resolve({ evidence: 'refunded', gatewayOutcome: 'approved', gatewayReference: `gw-${merchantReference}` }),
  lookUpRefund: () => Promise.resolve({ evidence: 'unknown' }),
};

/** Takes every return on, and has a name of its own for it. */
const warehouse: ReturnsProvider = {
  ...builtInReturns.byCode('builtin')!,
  code: 'warehouse',
  takeOn: ({ requestKey }) => Promise.resolve({ reference: `W-${requestKey}`, isRestockedHere: true }),
};

/** A shop of its own, and what its worker can do there. */
export async function aWorker(): Promise<Worker> {
  const orm = await testDatabase();
  const { locationId } = await aShop(orm.em.fork());
  const activities = createActivities({
    orm,
    providers: {
      secrets: testSecrets,
      credits: createCredits({ orm, service: undefined }),
      returns: { ...builtInReturns, inOrder: () => Promise.resolve([warehouse]) },
      gateways: { for: () => Promise.resolve(gateway) },
    },
    log: silent,
    clock: () => new Date(),
    gatewayTimeoutSeconds: 5,
    reconcileAfterSeconds: 60,
  });
  const sums = await tableSums(orm);
  return {
    orm,
    activities,
    locationId,
    sums,
    async close() {
      await sums.end();
      await orm.close();
    },
  };
}

/** As Temporal runs it: some activities send heartbeats. */
export const asActivity = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
  asyncLocalStorage.run(
    { cancellationSignal: new AbortController().signal, heartbeat: () => undefined } as unknown as Context,
    work,
  );

/**
 * What every table has more or less of after the work: rows, the sum of each column of amounts or quantities, and how
 * often another column has a value, or is true. What is as before is left out.
 */
export async function differenceBy(
  { sums }: Pick<Worker, 'sums'>,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await sums.addUp();
  await work();
  const after = await sums.addUp();
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const difference = (name: string) => Math.round(((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 10_000) / 10_000;
  return Object.fromEntries(names.map((name) => [name, difference(name)] as const).filter(([, more]) => more !== 0));
}
