import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { scheduleActions, scheduleStates } from '../../domain/content/schedule-state.ts';
import { timestamps } from '../support/timestamps.ts';
import { ContentItem } from './content-item.entity.ts';

/** Content to publish or unpublish at a later time; a workflow of its own carries it out (spec 4.12). */
export const ContentSchedule = defineEntity({
  name: 'ContentSchedule',
  tableName: 'content_schedule',
  properties: {
    scheduleId: p.integer().primary().autoincrement(),
    contentId: () => p.manyToOne(ContentItem).mapToPk().fieldName('content_id').deleteRule('cascade').index(),
    action: p.enum(scheduleActions),
    /** The version to publish; null: the newest at that time. */
    number: p.integer().nullable(),
    dueAt: p.datetime(6),
    state: p.enum(scheduleStates).default('pending'),
    author: p.string().length(255),
    /** Why it could not be carried out. */
    refusal: p.text().nullable(),
    endedAt: p.datetime(6).nullable(),
    /** Since when a workflow follows it; null: no workflow does yet. */
    followedAt: p.datetime(6).nullable(),
    revision: p.integer().default(1),
    ...timestamps,
  },
  uniques: [
    {
      name: 'content_schedule_once',
      properties: ['contentId', 'action', 'dueAt'],
      where: `"state" = 'pending'`,
    },
  ],
  indexes: [
    { name: 'content_schedule_pending', properties: ['dueAt'], where: `"state" = 'pending'` },
    { properties: ['dueAt'] },
    { properties: ['createdAt'] },
    { properties: ['updatedAt'] },
  ],
  checks: [
    { name: 'content_schedule_ended_or_pending', expression: `(state = 'pending') = (ended_at is null)` },
    { name: 'content_schedule_version_to_publish', expression: `number is null or action = 'publish'` },
  ],
});

export type ContentSchedule = InferEntity<typeof ContentSchedule>;
