import { z } from 'zod';
import { findSchedule } from '../../../db/content/read-schedules.ts';
import { changeSchedule, createSchedule } from '../../../db/content/save-schedule.ts';
import { fieldRequired } from '../../../domain/errors.ts';
import { route, type RouteContext } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { expectedRevision, tagOf } from '../expected-revision.ts';
import { followSchedule } from './follow-schedule.ts';
import { refuseToSchedule } from './refuse-to-schedule.ts';
import {
  exampleSchedule,
  exampleScheduleBody,
  renderSchedule,
  scheduleAnswer,
  schedulePayload,
  toScheduleWish,
  type SchedulePayload,
} from './schedule-payload.ts';
import { scheduleDoor, unchangeable, unknownContentOfPlan, unplannable } from './schedule-words.ts';

/**
 * Plans that content is published, or taken back, at a moment (spec 4.12); one that has passed is carried out at once. With
 * an `id` it changes that plan. The same plan twice, while it waits, is one.
 *
 * Refused with: 404 no such content or version · 401 who may not publish it · 400 no action or moment.
 */
export const createScheduleRoute = route({
  ...scheduleDoor,
  method: 'POST',
  path: '/V1/vendorCms/schedule',
  name: 'createSchedule',
  summary: 'Plan a publication, or its end',
  description: `\`due_at\` is UTC; a moment that has passed is carried out at once. Without a \`version\` the newest draft of
    that moment is published. It is carried out once, whatever restarts in between.`,
  outcomes: [unknownContentOfPlan, ...unplannable, ...unchangeable],
  examples: [{ title: 'Tomorrow’s offer', body: exampleScheduleBody, response: exampleSchedule('pending') }],
  body: z.object({ schedule: schedulePayload }),
  response: scheduleAnswer,

  async handle(around) {
    const { em, body, caller } = around;
    if (body.schedule.id !== undefined) return change(around, body.schedule.id, body.schedule);
    const { contentId } = body.schedule;
    if (contentId === undefined) throw fieldRequired('contentId');
    await refuseToSchedule(around, contentId);
    const wish = toScheduleWish(body.schedule);
    return answer(around, await createSchedule(em, { contentId, wish, author: caller.name }));
  },
});

/**
 * Changes a plan that waits (spec 4.12). A repeat changes nothing.
 *
 * Refused with: 404 unknown id or version · 401 who may not publish it · 400 it is over · 409, 412 it was changed.
 */
export const updateScheduleRoute = route({
  ...scheduleDoor,
  method: 'PUT',
  path: '/V1/vendorCms/schedule/:id',
  name: 'updateSchedule',
  summary: 'Change a plan that waits',
  description: 'What is left out stays. What it is for cannot be changed: delete it and make another.',
  outcomes: [...unplannable, ...unchangeable],
  examples: [{ title: 'Later', params: { id: 5 }, body: exampleScheduleBody, response: exampleSchedule('pending') }],
  params: z.object({ id: idParam }),
  body: z.object({ schedule: schedulePayload }),
  response: scheduleAnswer,
  handle: (around) => change(around, around.params.id, around.body.schedule),
});

type Around = Pick<RouteContext, 'em' | 'caller' | 'workflows' | 'log' | 'header' | 'setHeader'>;

async function change(around: Around, scheduleId: number, given: SchedulePayload) {
  const { em, caller, header } = around;
  await refuseToSchedule(around, (await findSchedule(em, scheduleId)).contentId);
  const expected = expectedRevision(header('if-match'), given.revision);
  await changeSchedule(em, { scheduleId, wish: toScheduleWish(given), author: caller.name, expected });
  return answer(around, scheduleId);
}

async function answer(around: Around, scheduleId: number) {
  const row = await findSchedule(around.em, scheduleId);
  if (row.state === 'pending') followSchedule(row, around);
  around.setHeader('ETag', tagOf(row));
  return renderSchedule(row);
}
