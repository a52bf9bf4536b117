import { hasCreditWork } from '../../db/credits/find-credit-work.ts';
import { findUrgentMails, findWaitingMails } from '../../db/mails/find-waiting-mails.ts';
import { raiseAlarms } from '../../db/mails/raise-alarms.ts';
import { linkLostReceipts } from '../../db/receipts/link-lost-receipts.ts';
import { findLimbo, type Limbo } from '../../db/refunds/find-limbo.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

export type RepairActivities = ReturnType<typeof createRepairActivities>;

export const createRepairActivities = ({ orm, alarmAfterMinutes, log }: ActivityDependencies) => ({
  /**
   * Finds work that a crash or a terminate interrupted, and mails that are due. Before that, a long uncertain refund
   * gets its mail to the operators, once, and receipts get their orders' numbers. Otherwise it only reads.
   */
  async findLimbo(): Promise<Limbo & { urgentMailIds?: number[]; mailIds?: number[]; hasCreditWork?: boolean }> {
    const em = orm.em.fork();
    if (alarmAfterMinutes !== undefined) await raiseAlarms(em, { afterMinutes: alarmAfterMinutes });
    // A receipt that cannot be linked does not delay mails or refunds.
    const failed = (orderId: number, error: unknown) =>
      log.warn({ 'order.id': orderId, error }, 'the receipt of an order could not be linked');
    await linkLostReceipts(em, { failed }).catch((error: unknown) =>
      log.warn({ error }, 'receipts could not be linked'),
    );
    const limbo = await findLimbo(em);
    return {
      ...limbo,
      urgentMailIds: await findUrgentMails(em),
      mailIds: await findWaitingMails(em),
      hasCreditWork: await hasCreditWork(em),
    };
  },
});
