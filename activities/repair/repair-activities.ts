import { hasCreditWork } from '../../db/credits/find-credit-work.ts';
import { findUrgentMails, findWaitingMails } from '../../db/mails/find-waiting-mails.ts';
import { raiseAlarms } from '../../db/mails/raise-alarms.ts';
import { linkLostReceipts } from '../../db/receipts/link-lost-receipts.ts';
import { findLimbo, type Limbo } from '../../db/refunds/find-limbo.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

export type RepairActivities = ReturnType<typeof createRepairActivities>;

export const createRepairActivities = ({ orm, alarmAfterMinutes, log }: ActivityDependencies) => ({
  /**
   * What a crash or a terminate may have left without anybody working on it, and mails that are due. What has been
   * uncertain for long gets its mail to the operators first, once, and receipts their orders' numbers; beside that it
   * only reads.
   */
  async findLimbo(): Promise<Limbo & { urgentMailIds?: number[]; mailIds?: number[]; hasCreditWork?: boolean }> {
    const em = orm.em.fork();
    if (alarmAfterMinutes !== undefined) await raiseAlarms(em, { afterMinutes: alarmAfterMinutes });
    // Nobody's mail or refund waits because a receipt cannot be linked.
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
