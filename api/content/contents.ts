import { z } from 'zod';
import { deleteContent } from '../../db/content/delete-content.ts';
import { findPendingSchedules } from '../../db/content/read-schedules.ts';
import { changeContent, createContent } from '../../db/content/save-content.ts';
import { searchContent } from '../../db/content/search-content.ts';
import { fieldRequired } from '../../domain/errors.ts';
import { renderContent } from '../../providers/content/render-content-lazily.ts';
import { listRoute } from '../http/list-route.ts';
import { type AnyRoute, route, type RouteContext } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownField } from '../wire/search-criteria.ts';
import {
  changedSince,
  contentAnswer,
  contentPayload,
  type ContentPayload,
  exampleAnswer,
  exampleBody,
  renderContentRow,
  stillSeen,
  toContentWish,
  unknownContent,
  unknownOwner,
  unsavable,
} from './content-answer.ts';
import { type ContentType, contentTypes } from './content-type.ts';
import {
  answerContent,
  getVersionRoute,
  listVersionsRoute,
  publishContentRoute,
  rollBackContentRoute,
  unpublishContentRoute,
} from './content-versions.ts';
import { expectedRevision } from './expected-revision.ts';
import { followRenewals } from './follow-renewals.ts';
import { cancelScheduleRoute, deleteScheduleRoute } from './schedules/end-schedule.ts';
import { tellScheduleEnd } from './schedules/follow-schedule.ts';
import { getSchedule, searchSchedulesRoute } from './schedules/get-schedule.ts';
import { createScheduleRoute, updateScheduleRoute } from './schedules/save-schedule.ts';

/**
 * Content of one kind, of every store view, found by `searchCriteria` (spec 4.12, platform facts 3, 11); the filter of
 * `active` is called `is_active`.
 */
const searchContentRoute = (type: ContentType) =>
  listRoute({
    path: `${type.path}/search`,
    acl: type.read,
    isForAdmins: true,
    name: `search${type.name}s`,
    summary: `Search ${type.noun}s`,
    description: 'The newest drafts, of every store view, at most 300 at once. Ask for pages: each has its whole text.',
    outcomes: [
      unknownField,
      { status: 400, message: 'Maximum SearchCriteria pageSize is %max', when: 'More are found than one answer has.' },
    ],
    examples: [
      {
        title: 'By its name',
        query: `searchCriteria[filter_groups][0][filters][0][field]=${type.identifierKey}&searchCriteria[filter_groups][0][filters][0][value]=x`,
        response: {
          items: [exampleAnswer(type)],
          search_criteria: {
            filter_groups: [{ filters: [{ field: type.identifierKey, value: 'x', condition_type: 'eq' }] }],
          },
          total_count: 1,
        },
      },
    ],
    answer: contentAnswer,
    find: (em, criteria) => searchContent(em, { kind: type.kind, criteria }),
    render: (row) => renderContentRow(type, row),
  });

/**
 * Reads content as its editors see it, the newest draft, with an `ETag` to send back as `If-Match` (spec 4.12).
 *
 * Refused with: 404 unknown id.
 */
const getContent = (type: ContentType) =>
  route({
    method: 'GET',
    path: `${type.path}/:id`,
    acl: type.read,
    isForAdmins: true,
    name: `get${type.name}`,
    summary: `Read a ${type.noun}`,
    description: `The newest draft. The \`ETag\` says which change of it this is: send it as \`If-Match\` with what
      you change.`,
    outcomes: [unknownContent(type)],
    examples: [{ title: 'A published one', params: { id: 7 }, response: exampleAnswer(type, 1) }],
    params: z.object({ id: idParam }),
    response: contentAnswer,

    handle: (around) => answerContent(type, around, around.params.id),
  });

/**
 * Saves a draft (spec 4.12): a new one, or what is sent of the one whose id the body names (platform facts 11). It is for
 * the store view of the path; under `/rest/all` for every view that has none of its own.
 *
 * Refused with: 404 unknown id · 409, 412 it was changed since it was read · 400 no name or title, a name that is taken.
 */
const createContentRoute = (type: ContentType) =>
  route({
    method: 'POST',
    path: type.path,
    acl: type.write,
    isForAdmins: true,
    name: `create${type.name}`,
    summary: `Save the draft of a ${type.noun}`,
    description: `It is hidden until it is published. It is for the store view of the path, with \`/rest/all\` for every
      view. With an \`id\` it changes that one, as PUT does. Without one a repeat is refused, because the name is taken.`,
    outcomes: [...unsavable(type), ...unknownOwner(type), unknownContent(type), ...changedSince],
    examples: [{ title: 'A new one', body: exampleBody(type), response: exampleAnswer(type) }],
    body: z.object({ [type.key]: contentPayload(type) }),
    response: contentAnswer,

    async handle(around) {
      const given = contentIn(type, around.body);
      const { em, store, caller } = around;
      if (given.id !== undefined) return change(type, around, { contentId: given.id, given });
      const contentId = await createContent(em, {
        ...{ kind: type.kind, storeId: store.storeId, author: caller.name, wish: toContentWish(type, given) },
        ...{ productId: given.productId, categoryId: given.categoryId },
      });
      return answerContent(type, around, contentId);
    },
  });

/**
 * Saves what is sent of content as its next draft and keeps the rest (spec 4.12); `active` and `liveview` count at once. The
 * same twice is one version.
 *
 * Refused with: 404 unknown id · 409, 412 it was changed since it was read · 400 a name that is taken.
 */
const updateContentRoute = (type: ContentType) =>
  route({
    method: 'PUT',
    path: `${type.path}/:id`,
    acl: type.write,
    isForAdmins: true,
    name: `update${type.name}`,
    summary: `Change the draft of a ${type.noun}`,
    description: `Each change of title, text, CSS or page fields is one more version; what is shown stays until you publish.
      \`active\` and \`liveview\` count at once. Send the revision you have read, by \`If-Match\` or \`revision\`: then the
      second of two editors is refused. A repeat changes nothing.${stillSeen(type)}`,
    outcomes: [...unsavable(type), unknownContent(type), ...changedSince],
    examples: [{ title: 'Changed', params: { id: 7 }, body: exampleBody(type), response: exampleAnswer(type, 1) }],
    params: z.object({ id: idParam }),
    body: z.object({ [type.key]: contentPayload(type) }),
    response: contentAnswer,
    handle: (around) => change(type, around, { contentId: around.params.id, given: contentIn(type, around.body) }),
  });

type Around = Pick<RouteContext, 'em' | 'caller' | 'workflows' | 'log' | 'header' | 'setHeader'>;

function contentIn({ key }: ContentType, body: Readonly<Record<string, ContentPayload>>): ContentPayload {
  const given = body[key];
  if (!given) throw fieldRequired(key);
  return given;
}

async function change(
  type: ContentType,
  around: Around,
  { contentId, given }: { contentId: number; given: ContentPayload },
) {
  await changeContent(around.em, {
    ...{ kind: type.kind, contentId, wish: toContentWish(type, given), author: around.caller.name },
    expected: expectedRevision(around.header('if-match'), given.extensionAttributes?.revision),
    render: renderContent,
  });
  await followRenewals(type, around);
  return answerContent(type, around, contentId);
}

/**
 * Deletes content with its versions, its publication and its schedules (spec 4.12). A repeat is a 404.
 *
 * Refused with: 404 unknown id · 412 it was changed since it was read.
 */
const deleteContentRoute = (type: ContentType) =>
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
