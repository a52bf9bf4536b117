import { z } from 'zod';
import { findSchedule, searchSchedules } from '../../../db/content/read-schedules.ts';
import { listRoute } from '../../http/list-route.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { tagOf } from '../expected-revision.ts';
import { exampleSchedule, renderSchedule, scheduleAnswer } from './schedule-payload.ts';
import { scheduleDoor, unknownSchedule } from './schedule-words.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** Reads a plan, with an `ETag` (spec 4.12). Refused with: 404 unknown id. */
export const getSchedule = route({
  ...scheduleDoor,
  method: 'GET',
  path: '/V1/vendorCms/schedule/:id',
  name: 'getSchedule',
  summary: 'Read a plan',
  description: 'What is to become of which content, and when; afterwards what became of it.',
  outcomes: [unknownSchedule],
  examples: [{ title: 'Carried out', params: { id: 5 }, response: exampleSchedule('done') }],
  params: z.object({ id: idParam }),
  response: scheduleAnswer,

  async handle({ em, params: { id }, setHeader }) {
    const row = await findSchedule(em, id);
    setHeader('ETag', tagOf(row));
    return renderSchedule(row);
  },
});

/** Plans of all content, found by `searchCriteria` (spec 4.12, platform facts 3). */
export const searchSchedulesRoute = listRoute({
  ...scheduleDoor,
  path: '/V1/vendorCms/schedule/search',
  name: 'searchSchedules',
  summary: 'Search plans',
  description: 'By `content_id`, `action`, `state`, `due_at`.',
  outcomes: [unknownField],
  examples: [
    {
      title: 'All',
      query: 'searchCriteria',
      response: { items: [exampleSchedule('pending')], search_criteria: { filter_groups: [] }, total_count: 1 },
    },
  ],
  answer: scheduleAnswer,
  find: searchSchedules,
  render: renderSchedule,
});
