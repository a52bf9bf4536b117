import { z } from 'zod';
import { deleteContent } from '../../db/content/delete-content.ts';
import { findPendingSchedules } from '../../db/content/read-schedules.ts';
import { renderContent } from '../../providers/content/render-content-lazily.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { changedSince, stillSeen, unknownContent } from './content-outcomes.ts';
import type { ContentType } from './content-type.ts';
import { expectedRevision } from './expected-revision.ts';
import { followRenewals } from './follow-renewals.ts';
import { tellScheduleEnd } from './schedules/follow-schedule.ts';

/**
 * Deletes content with its versions, its publication and its schedules (spec 4.12). A repeat is a 404.
 *
 * Refused with: 404 unknown id · 412 it was changed since it was read.
 */
export const deleteContentRoute = (type: ContentType) =>
  route({
    method: 'DELETE',
    path: `${type.path}/:id`,
    acl: type.remove,
    isForAdmins: true,
    name: `delete${type.name}`,
    summary: `Delete a ${type.noun}`,
    description: `With its versions, its publication and its schedules. To hide it only, unpublish
      it.${stillSeen(type)}`,
    outcomes: [unknownContent(type), ...changedSince.filter(({ status }) => status === 412)],
    examples: [{ title: 'Deleted', params: { id: 7 }, response: true }],
    params: z.object({ id: idParam }),
    response: z.literal(true),

    async handle(around) {
      const { em, params, header } = around;
      const expected = expectedRevision(header('if-match'));
      const plans = await findPendingSchedules(em, params.id);
      await deleteContent(em, { kind: type.kind, contentId: params.id, expected, render: renderContent });
      for (const scheduleId of plans) tellScheduleEnd({ scheduleId }, around);
      await followRenewals(type, around);
      return true as const;
    },
  });
