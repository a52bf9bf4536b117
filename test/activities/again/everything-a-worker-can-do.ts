import { asyncLocalStorage, type Context } from '@temporalio/activity';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createActivities } from '../../../activities/index.ts';
import { createCredits } from '../../../providers/credits/credits.ts';
import type { PaymentGateway } from '../../../providers/gateways/payment-gateway.ts';
import type { ReturnsProvider } from '../../../providers/returns/returns-provider.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { builtInReturns, silent } from '../../support/fakes.ts';

export type Activities = ReturnType<typeof createActivities>;

export interface Worker {
  orm: MikroORM;
  activities: Activities;
  locationId: number;
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
      credits: createCredits({ orm, service: undefined }),
      returns: { ...builtInReturns, inOrder: () => Promise.resolve([warehouse]) },
      gateways: { for: () => Promise.resolve(gateway) },
    },
    log: silent,
    clock: () => new Date(),
    gatewayTimeoutSeconds: 5,
    reconcileAfterSeconds: 60,
  });
  return { orm, activities, locationId };
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
export async function differenceBy(orm: MikroORM, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await addUp(orm);
  await work();
  const after = await addUp(orm);
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const difference = (name: string) => Math.round(((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 10_000) / 10_000;
  return Object.fromEntries(names.map((name) => [name, difference(name)] as const).filter(([, more]) => more !== 0));
}

async function addUp(orm: MikroORM): Promise<Map<string, number>> {
  const em = orm.em.fork();
  const tables = await em.execute<{ name: string; sums: string[] }[]>(
    `select relname as name, array(select format(case atttypid when 'numeric'::regtype then 'sum(%1$I) as %1$I'
           when 'boolean'::regtype then 'count(nullif(%1$I, false)) as %1$I' else 'count(%1$I) as %1$I' end, attname)
         from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as sums
     from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const ofTable = ({ name, sums }: (typeof tables)[number]) =>
    `select '${name}' as name, to_jsonb(t) as sums from (select ${sums.join(', ')} from ${name}) t`;
  const added = await em.execute<{ name: string; sums: Record<string, number | null> }[]>(
    tables.map(ofTable).join(' union all '),
  );
  const [parts] = await em.execute<{ n: number }[]>('select count(*)::int as n from pg_class where relispartition');
  return new Map([
    ['partitions', parts!.n],
    ...added.flatMap(({ name, sums }) =>
      Object.entries(sums).map(([column, sum]) => [`${name}.${column}`, sum ?? 0] as const),
    ),
  ]);
}
