import { z } from 'zod';
import type { ScheduleRow } from '../../../db/content/read-schedules.ts';
import { scheduleActions, scheduleStates } from '../../../domain/content/schedule-state.ts';
import { idParam, integer, payload, stockDate } from '../../wire/schemas.ts';
import { toStockDate } from '../../wire/stock-date.ts';

const readOver = z.unknown().optional();

/**
 * A schedule that an editor sends. Fields that only the server sets are ignored, so that an answer can be sent back.
 */
export const schedulePayload = payload({
  id: idParam.optional(),
  contentId: idParam.optional(),
  action: z.enum(scheduleActions).optional(),
  version: integer.nullish(),
  dueAt: stockDate.optional(),
  revision: integer.optional(),
  ...{ state: readOver, author: readOver, refusal: readOver, endedAt: readOver },
  ...{ createdAt: readOver, updatedAt: readOver },
}).meta({ id: 'ContentSchedule' });

export type SchedulePayload = z.output<typeof schedulePayload>;

export const toScheduleWish = ({ action, version, dueAt }: SchedulePayload) => ({ action, number: version, dueAt });

export const scheduleAnswer = z
  .object({
    id: z.int(),
    content_id: z.int(),
    action: z.enum(scheduleActions),
    version: z.int().optional().meta({ description: 'What is published; absent: the newest at that moment.' }),
    due_at: z.string().meta({ description: 'UTC.' }),
    state: z.enum(scheduleStates),
    author: z.string(),
    refusal: z.string().optional().meta({ description: 'Why it failed.' }),
    ended_at: z.string().optional(),
    created_at: z.string(),
    updated_at: z.string(),
    revision: z.int(),
  })
  .meta({ id: 'ContentSchedule' });

export type ScheduleAnswer = z.input<typeof scheduleAnswer>;

/** A schedule from its row. */
export const renderSchedule = (row: ScheduleRow): ScheduleAnswer => ({
  id: row.scheduleId,
  content_id: row.contentId,
  action: row.action,
  ...(row.number === null ? {} : { version: row.number }),
  due_at: toStockDate(row.dueAt),
  state: row.state,
  author: row.author,
  ...(row.refusal === null ? {} : { refusal: row.refusal }),
  ...(row.endedAt === null ? {} : { ended_at: toStockDate(row.endedAt) }),
  created_at: toStockDate(row.createdAt),
  updated_at: toStockDate(row.updatedAt),
  revision: row.revision,
});

export const exampleSchedule = (state: ScheduleAnswer['state']): ScheduleAnswer => ({
  ...{ id: 5, content_id: 7, action: 'publish', due_at: '2026-12-01 06:00:00', state, author: 'ada' },
  ...(state === 'pending' ? {} : { ended_at: '2026-12-01 06:00:00' }),
  ...{ created_at: '2026-11-23 09:30:00', updated_at: '2026-11-23 09:30:00', revision: 1 },
});

export const exampleScheduleBody = {
  schedule: { content_id: 7, action: 'publish', due_at: '2026-12-01 06:00:00' },
};
