import { randomUUID } from 'node:crypto';
import { createContent } from '../../../db/content/content.ts';
import { createSchedule } from '../../../db/content/save-schedule.ts';
import { dayOf } from '../../../domain/telemetry.ts';
import { sealCreditWords } from '../../../db/credits/reserve-credit-refund.ts';
import { money } from '../../../domain/money.ts';
import { bodySealedFor } from '../../../domain/register-sessions/session-words.ts';
import { booksOf } from '../../support/books.ts';
import { manyRecords } from '../../support/books/many-records.ts';
import { everyProductIsDue } from '../../support/builders/catalog-rule.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { aRefundedSale, reservedStoreCredit } from '../../support/builders/credit.ts';
import { aSealedCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { publishedContent } from '../../support/builders/published-content.ts';
import { aClose, aCount, aSession, aSessionToOpen } from '../../support/builders/register-session.ts';
import { someTelemetry } from '../../support/builders/telemetry.ts';
import { testSecrets } from '../../support/fakes.ts';
import { inMinutes } from '../../support/moments.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import type { Activities, Arrange, Worker } from './everything-a-worker-can-do.ts';

/** A request of a session as its route sends it. */
const aSealedRequest = <Request extends { registerSessionUuid: string; beginBefore: string }>(request: Request) => ({
  ...{ registerSessionUuid: request.registerSessionUuid, beginBefore: request.beginBefore },
  ...{ operationKey: randomUUID(), by: 'register', requestId: 'r' },
  sealedBody: testSecrets.seal(JSON.stringify(request), bodySealedFor),
});

const hour = 3_600_000;
const longAgo = new Date('2020-01-01T00:00:00Z');
let serial = 0;
const aName = () => `again-${++serial}`;

async function anOverdueLayaway({ orm }: Worker) {
  const { orderId } = await aLayaway(orm.em.fork(), { expiresAt: new Date(Date.now() - hour) });
  return { orderId };
}

async function aDueSchedule({ orm }: Worker) {
  const wish = { identifier: aName(), title: 'T', content: 'x' };
  const contentId = await createContent(orm.em.fork(), { kind: 'block', storeId: 0, author: 'ada', wish });
  const plan = { action: 'publish', dueAt: new Date(Date.now() - hour) } as const;
  return { scheduleId: await createSchedule(orm.em.fork(), { contentId, author: 'ada', wish: plan }) };
}

/** Layaways, content, credits and what is done by night. */
export const otherWork = {
  followLayaway: async ({ orm, activities }) => {
    const { orderId } = await aLayaway(orm.em.fork());
    return () => activities.followLayaway({ orderId });
  },
  capturePayment: async ({ orm, activities }) => {
    const { orderId } = await aLayaway(orm.em.fork());
    const payment = aPayment(orderId, '40');
    return () => activities.capturePayment(payment);
  },
  cancelLayaway: async ({ orm, activities }) => {
    const { orderId } = await aLayaway(orm.em.fork());
    await activities.capturePayment(aPayment(orderId, '40'));
    const wanted = aSealedCancellation(orderId, 20);
    return () => activities.cancelLayaway(wanted);
  },
  flagStale: async (worker) => {
    const layaway = await anOverdueLayaway(worker);
    return () => worker.activities.flagStale(layaway);
  },
  flagStaleBatch: async (worker) => {
    const { orderId } = await anOverdueLayaway(worker);
    return () => worker.activities.flagStaleBatch({ after: orderId - 1, limit: 500 });
  },
  openSession: async ({ orm, activities }) => {
    const request = aSealedRequest(await aSessionToOpen(orm));
    return () => activities.openSession(request);
  },
  followSession: async ({ orm, activities }) => {
    const { registerSessionUuid } = await aSession(orm);
    return () => activities.followSession({ registerSessionUuid });
  },
  moveCash: async ({ orm, activities }) => {
    const { registerSessionUuid, beginBefore, requestHash } = await aSession(orm);
    const movement = { movementUuid: randomUUID(), kind: 'drop', amount: money('20'), currency: 'USD', reason: '' };
    const request = aSealedRequest({ registerSessionUuid, beginBefore, requestHash, ...movement });
    return () => activities.moveCash(request);
  },
  countSession: async ({ orm, activities }) => {
    const request = aSealedRequest(aCount((await aSession(orm)).registerSessionUuid));
    return () => activities.countSession(request);
  },
  closeSession: async ({ orm, activities }) => {
    const request = aSealedRequest(aClose(await aSession(orm, 'counted')));
    return () => activities.closeSession(request);
  },
  reopenSession: async ({ orm, activities }) => {
    const { registerSessionUuid, beginBefore } = await aSession(orm, 'closed');
    const request = aSealedRequest({ registerSessionUuid, beginBefore, reason: 'miscounted' });
    return () => activities.reopenSession(request);
  },
  forceCloseSession: async ({ orm, activities }) => {
    const { registerSessionUuid } = await aSession(orm);
    const named = { register_session_uuid: registerSessionUuid };
    await booksOf(() => orm).change('pos_register_session', named, { forced_after: '2020-01-01' });
    return () => activities.forceCloseSession({ registerSessionUuid });
  },
  carryOutSchedule: async (worker) => {
    const schedule = await aDueSchedule(worker);
    return () => worker.activities.carryOutSchedule(schedule);
  },
  cancelSchedule: async (worker) => {
    const schedule = await aDueSchedule(worker);
    return () => worker.activities.cancelSchedule(schedule);
  },
  renewContent: async ({ orm, activities }) => {
    const identifier = aName();
    await publishedContent(orm.em.fork(), { identifier, content: 'within' });
    for (let place = 0; place < 15; place++)
      await publishedContent(orm.em.fork(), { identifier: aName(), content: `{{block id="${identifier}"}}` });
    const { insert, findOne } = booksOf(() => orm);
    await insert('content_renewal', { identifier, is_removal: false, places: 15 });
    const { renewal_id: renewalId } = await findOne('content_renewal', { identifier }, 'renewal_id');
    // A machine that is busy renders fewer in the time of one call: its workflow calls again.
    return async () => {
      for (let call = 0; call < 15; call++) {
        const renewal = await activities.renewContent({ renewalId });
        if (!('isDone' in renewal) || renewal.isDone) return;
      }
    };
  },
  reserveCredit: async ({ orm, activities }) => {
    const { orderId, customerId } = await aRefundedSale(orm);
    const wish = {
      ...({ orderId, customerId, kind: 'store_credit', providerCode: 'store_credit', amount: money('10') } as const),
      ...{ requestKey: aName(), beginBefore: inMinutes(5).toISOString() },
      sealedWords: sealCreditWords(testSecrets, { code: null, reason: 'a return' }),
    };
    return () => activities.reserveCredit(wish);
  },
  giveCredit: async ({ orm, activities }) => {
    const { refundId } = await reservedStoreCredit(orm);
    return () => activities.giveCredit({ refundId });
  },
  bookDuePoints: async ({ orm, activities }) => {
    await pointsOn(orm.em.fork());
    await anOrder(orm.em.fork(), { customerId: await aCustomer(orm.em.fork()) });
    return () => activities.bookDuePoints();
  },
  openIndexDay: async ({ orm, activities }) => {
    await booksOf(() => orm).change('catalog_rule_index', {}, { day: '2020-01-01' });
    return () => activities.openIndexDay();
  },
  reindexDue: async ({ orm, activities }) => {
    await everyProductIsDue(booksOf(() => orm));
    return () => activities.reindexDue();
  },
  purgeLeftovers: async ({ orm, activities }) => {
    const { insert } = booksOf(() => orm);
    await insert('rate_limit', { bucket: aName(), attempts: 1, window_ends_at: longAgo });
    await insert('pos_staff_session', { digest: aName().padStart(64, '0'), staff_id: 1, expires_at: longAgo });
    return () => activities.purgeLeftovers({ limit: 100 });
  },
  purgeOneTimeCodes: async ({ orm, activities, locationId }) => {
    const { terminalId } = await aTerminal(orm.em.fork(), { locationId });
    await booksOf(() => orm).insertAll(
      'pos_one_time_code',
      manyRecords(20, (n) => ({
        ...{ email_digest: String(n), terminal_id: terminalId, website_id: 1, code_digest: 'x', most_guesses: 5 },
        ...{ request_key: randomUUID(), expires_at: new Date() },
      })),
    );
    return () => activities.purgeOneTimeCodes({ limit: 100 });
  },
  openTelemetryDays: async ({ activities }) => {
    const days = [dayOf(longAgo, ++serial)];
    return () => activities.openTelemetryDays({ days });
  },
  summariseDay: async ({ orm, activities }) => {
    const day = dayOf(longAgo, ++serial);
    await someTelemetry(orm.em.fork(), { day, count: 3 });
    return () => activities.summariseDay({ day });
  },
  purgeTelemetry: async ({ orm, activities }) => {
    await someTelemetry(orm.em.fork(), { day: dayOf(longAgo, -30), count: 30 });
    return () => activities.purgeTelemetry({ before: dayOf(longAgo, -29), limit: 100 });
  },
  // Last: it takes its time, and what the others left open must not grow old meanwhile.
  checkBooks: async ({ activities }) => {
    const runKey = aName();
    return () => activities.checkBooks({ runKey });
  },
} satisfies Partial<Record<keyof Activities, Arrange>>;
