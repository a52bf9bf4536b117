/** What a schedule does to its content when its moment comes. */
export const scheduleActions = ['publish', 'unpublish'] as const;
export type ScheduleAction = (typeof scheduleActions)[number];

/** A schedule waits once and ends once, whatever arrives later. */
export const scheduleStates = ['pending', 'done', 'failed', 'cancelled'] as const;
export type ScheduleState = (typeof scheduleStates)[number];
