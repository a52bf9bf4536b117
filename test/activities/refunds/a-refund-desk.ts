import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createRefundActivities, type RefundActivities } from '../../../activities/refunds.ts';
import { RefundAttempt } from '../../../db/refunds/refund-attempt.entity.ts';
import { type RefundFinding } from '../../../domain/refunds/refund-finding.ts';
import type { PaymentGateway, RefundRequest } from '../../../providers/gateways/payment-gateway.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { builtInReturns, silent, noCredits, testSecrets } from '../../support/fakes.ts';

const { fork } = booksOf(() => orm);

/** A gateway that says what it is told to, and counts. */
class FakeGateway implements PaymentGateway {
  readonly code = 'fake';
  readonly canLookUp = true;
  account = 'the account of today';
  canTrack = () => true;
  asked: RefundRequest[] = [];
  answer: RefundFinding = { evidence: 'refunded', gatewayOutcome: 'approved', gatewayReference: 'gw-1' };

  refund(request: RefundRequest): Promise<RefundFinding> {
    this.asked.push(request);
    return Promise.resolve(this.answer);
  }
  lookUpRefund(): Promise<RefundFinding> {
    return Promise.resolve(this.answer);
  }
}

export let gateway: FakeGateway;
export let orm: MikroORM;
export let activities: RefundActivities;
export let locationId: number;
/** What the log was told went wrong. */
export const faults: object[] = [];
/** Whether the shutdown of this worker has begun. */
export const shutdown = { hasBegun: false };

/** A shop with a gateway that counts its calls, and no fault at the end. */
export function opensARefundDesk(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    ({ locationId } = await aShop(fork()));
    activities = createRefundActivities({
      orm,
      providers: {
        secrets: testSecrets,
        credits: noCredits,
        gateways: { for: () => Promise.resolve(gateway) },
        returns: builtInReturns,
      },
      log: { ...silent, error: (facts: object) => void faults.push(facts) },
      // A minute ahead of the database: no verdict may follow it.
      clock: () => new Date(Date.now() + 60_000),
      gatewayTimeoutSeconds: 5,
      reconcileAfterSeconds: 60,
      isStopping: () => shutdown.hasBegun,
    });
  });
  beforeEach(() => {
    gateway = new FakeGateway();
  });
  afterAll(() => orm.close());
}

export const attemptOf = (attemptId: number) => fork().findOneOrFail(RefundAttempt, { attemptId });
