import { hasCreditWork } from '../../db/credits/find-credit-work.ts';
import { findUrgentMails, findWaitingMails } from '../../db/mails/find-waiting-mails.ts';
import { raiseAlarms } from '../../db/mails/raise-alarms.ts';
import { findLimbo, type Limbo } from '../../db/refunds/find-limbo.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';

export type RepairActivities = ReturnType<typeof createRepairActivities>;

export const createRepairActivities = ({ orm, alarmAfterMinutes }: ActivityDependencies) => ({
  /**
   * What a crash or a terminate may have left without anybody working on it, and mails that are due. What has been
   * uncertain for long gets its mail to the operators first, once; beside that it only reads.
   */
  async findLimbo(): Promise<Limbo & { urgentMailIds?: number[]; mailIds?: number[]; hasCreditWork?: boolean }> {
    const em = orm.em.fork();
    if (alarmAfterMinutes !== undefined) await raiseAlarms(em, { afterMinutes: alarmAfterMinutes });
    const limbo = await findLimbo(em);
    return {
      ...limbo,
      urgentMailIds: await findUrgentMails(em),
      mailIds: await findWaitingMails(em),
      hasCreditWork: await hasCreditWork(em),
    };
  },
});
