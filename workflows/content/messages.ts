import { defineQuery, defineSignal } from '../support/definitions.ts';

export interface ScheduleInput {
  scheduleId: number;
}

/** From routes, the sweep and operators: read the row again and continue from its state. */
export const refreshSignal = defineSignal('refresh');

/** For the Temporal UI; programs read the row. */
export interface ScheduleView {
  state: string;
  dueAt: string | null;
}

export const stateQuery = defineQuery<ScheduleView>('state');

export const contentScheduleId = (scheduleId: number) => `content-schedule-${scheduleId}`;

export interface RenewalInput {
  renewalId: number;
}

/** For the Temporal UI; programs read the row. */
export interface RenewalView {
  places: number;
  rendered: number;
  failed: number;
  isDone: boolean;
}

export const renewalQuery = defineQuery<RenewalView>('state');

export const contentRenewalId = (renewalId: number) => `content-renewal-${renewalId}`;
