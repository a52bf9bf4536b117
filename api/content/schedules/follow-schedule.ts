import { PosError } from '../../../domain/errors.ts';
import { contentScheduleId, refreshSignal } from '../../../workflows/content/messages.ts';
import { posStatus } from '../../../workflows/support/search-attributes.ts';
import type { RouteContext } from '../../http/route.ts';

type Around = Pick<RouteContext, 'workflows' | 'log'>;

/**
 * Starts the workflow of a schedule, or signals it after a change. Best effort, after the commit: the route does not
 * wait for it, and the sweep each minute finds what Temporal missed.
 */
export function followSchedule({ scheduleId }: { scheduleId: number }, { workflows, log }: Around): void {
  workflows
    .start({
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

/** Signals the workflow of a deleted or cancelled schedule, so that it ends; best effort. */
export function tellScheduleEnd({ scheduleId }: { scheduleId: number }, { workflows, log }: Around): void {
  workflows.signal(refreshSignal, contentScheduleId(scheduleId)).catch((error: unknown) => {
    if (!(error instanceof PosError) || error.status !== 404)
      log.warn({ scheduleId, error }, 'the workflow of a schedule was not told; it finds out when it is due');
  });
}
