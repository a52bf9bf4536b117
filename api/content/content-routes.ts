import type { AnyRoute } from '../http/route.ts';
import { contentTypes, type ContentType } from './content-type.ts';
import { deleteContentRoute } from './delete-content.ts';
import { getContent } from './get-content.ts';
import { getVersionRoute, listVersionsRoute } from './list-versions.ts';
import { publishContentRoute, rollBackContentRoute, unpublishContentRoute } from './publish-content.ts';
import { createContentRoute, updateContentRoute } from './save-content.ts';
import { cancelScheduleRoute, deleteScheduleRoute } from './schedules/end-schedule.ts';
import { getSchedule, searchSchedulesRoute } from './schedules/get-schedule.ts';
import { createScheduleRoute, updateScheduleRoute } from './schedules/save-schedule.ts';
import { searchContentRoute } from './search-content.ts';

const verbs: readonly ((type: ContentType) => AnyRoute)[] = [
  searchContentRoute,
  getContent,
  createContentRoute,
  updateContentRoute,
  deleteContentRoute,
  listVersionsRoute,
  getVersionRoute,
  publishContentRoute,
  unpublishContentRoute,
  rollBackContentRoute,
];

/** Every verb for every kind of content (spec 4.12), for administrators. The public reads content by GraphQL. */
export const contentRoutes: readonly AnyRoute[] = [
  ...contentTypes.flatMap((type) => verbs.map((verb) => verb(type))),
  searchSchedulesRoute,
  getSchedule,
  createScheduleRoute,
  updateScheduleRoute,
  deleteScheduleRoute,
  cancelScheduleRoute,
];
