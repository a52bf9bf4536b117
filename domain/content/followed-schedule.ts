import type { ContentKind } from './content-kind.ts';
import type { ScheduleAction, ScheduleState } from './schedule-state.ts';

/** A schedule as its workflow sees it; JSON-safe. */
export interface FollowedSchedule {
  scheduleId: number;
  contentId: number;
  kind: ContentKind;
  action: ScheduleAction;
  state: ScheduleState;
  /** ISO 8601. */
  dueAt: string;
  /** Measured by the database's clock, which alone decides; 0 when it is due. */
  msUntilDue: number;
  refusal: string | null;
}
