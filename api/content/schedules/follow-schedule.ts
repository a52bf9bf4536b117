import { PosError } from '../../../domain/errors.ts';
import { contentScheduleId, refreshSignal } from '../../../workflows/content/messages.ts';
import { posStatus } from '../../../workflows/support/search-attributes.ts';
import type { Surroundings } from '../../http/route.ts';

type Around = Pick<Surroundings, 'workflows' | 'log'>;

/**
 * Gives a schedule the workflow of its life, and tells the one it has that it was changed. Best effort, after the commit:
 * nobody waits for it, and what Temporal misses the sweep of each minute finds.
 */
export function followSchedule({ scheduleId }: { scheduleId: number }, { workflows, log }: Around): void {
  workflows
    .begin({
      workflow: 'contentScheduleWorkflow',
      id: contentScheduleId(scheduleId),
      input: { scheduleId },
      summary: `Schedule ${scheduleId} of content`,
      searchAttributes: [{ key: posStatus, value: 'pending' }],
      signal: refreshSignal,
    })
    .catch((error: unknown) =>
      log.warn({ scheduleId, error }, 'a schedule is not followed yet; the sweep takes it up'),
    );
}

/** Tells the workflow of a schedule that it is gone or called off, so that it ends; best effort. */
export function tellScheduleEnd({ scheduleId }: { scheduleId: number }, { workflows, log }: Around): void {
  workflows.tell(refreshSignal, contentScheduleId(scheduleId)).catch((error: unknown) => {
    if (!(error instanceof PosError) || error.status !== 404)
      log.warn({ scheduleId, error }, 'the workflow of a schedule was not told; it finds out when it is due');
  });
}
