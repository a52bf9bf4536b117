import { z } from 'zod';
import { findSchedule } from '../../../db/content/read-schedules.ts';
import { cancelSchedule, deleteSchedule } from '../../../db/content/save-schedule.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { tellScheduleEnd } from './follow-schedule.ts';
import { refuseToSchedule } from './refuse-to-schedule.ts';
import { exampleSchedule, renderSchedule, scheduleAnswer } from './schedule-payload.ts';
import { notItsEditor, scheduleDoor, unknownSchedule } from './schedule-words.ts';

/**
 * Cancels a waiting plan and keeps it for the record (spec 4.12). A plan that is over is answered as it is.
 *
 * Refused with: 404 unknown id · 401 a caller who may not publish the content.
 */
export const cancelScheduleRoute = route({
  ...scheduleDoor,
  method: 'POST',
  path: '/V1/vendorCms/schedule/:id/cancel',
  name: 'cancelSchedule',
  summary: 'Call a plan off',
  description: 'It stays readable as `cancelled`. One that was carried out meanwhile is answered as `done`.',
  outcomes: [unknownSchedule, notItsEditor],
  examples: [{ title: 'Called off', params: { id: 5 }, body: {}, response: exampleSchedule('cancelled') }],
  params: z.object({ id: idParam }),
  body: z.object({}),
  response: scheduleAnswer,

  async handle(around) {
    const { em, params } = around;
    await refuseToSchedule(around, (await findSchedule(em, params.id)).contentId);
    await cancelSchedule(em, params.id);
    tellScheduleEnd({ scheduleId: params.id }, around);
    return renderSchedule(await findSchedule(em, params.id));
  },
});

/**
 * Removes a plan in any state; a waiting one is never carried out (spec 4.12). A repeat is a 404.
 *
 * Refused with: 404 unknown id · 401 a caller who may not publish the content.
 */
export const deleteScheduleRoute = route({
  ...scheduleDoor,
  method: 'DELETE',
  path: '/V1/vendorCms/schedule/:id',
  name: 'deleteSchedule',
  summary: 'Remove a plan',
  description: 'One that waits is never carried out. To keep it for the record, call it off instead.',
  outcomes: [unknownSchedule, notItsEditor],
  examples: [{ title: 'Removed', params: { id: 5 }, response: true }],
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle(around) {
    const { em, params } = around;
    await refuseToSchedule(around, (await findSchedule(em, params.id)).contentId);
    await deleteSchedule(em, params.id);
    tellScheduleEnd({ scheduleId: params.id }, around);
    return true as const;
  },
});
