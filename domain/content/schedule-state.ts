/** What a schedule does to its content when it is due. */
export const scheduleActions = ['publish', 'unpublish'] as const;
export type ScheduleAction = (typeof scheduleActions)[number];

/** A schedule waits once and ends once; later requests do not change its end. */
export const scheduleStates = ['pending', 'done', 'failed', 'cancelled'] as const;
export type ScheduleState = (typeof scheduleStates)[number];
