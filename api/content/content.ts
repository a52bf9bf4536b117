import { z } from 'zod';
import { changeContent, createContent, deleteContent } from '../../db/content/content.ts';
import { findSchedule, searchContent, searchSchedules } from '../../db/content/read-content.ts';
import { findPendingSchedules } from '../../db/content/read-schedules.ts';
import { cancelSchedule, deleteSchedule } from '../../db/content/save-schedule.ts';
import { fieldRequired } from '../../domain/errors.ts';
import { scheduleNotFound } from '../../domain/refusals/content.ts';
import { attributeNameNotValid, pageTooLarge } from '../../domain/refusals/platform.ts';
import { renderContent } from '../../providers/content/render-content-lazily.ts';
import { listRoute } from '../http/route-kinds.ts';
import { route, type AnyRoute, type RouteContext } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import {
  changedSince,
  contentAnswer,
  contentPayload,
  exampleAnswer,
  exampleBody,
  renderContentRow,
  stillSeen,
  toContentInput,
  unknownContent,
  unknownOwner,
  unsavable,
  type ContentPayload,
} from './content-answer.ts';
import { contentTypes, followRenewals, type ContentType } from './content-type.ts';
import {
  answerContent,
  getVersionRoute,
  listVersionsRoute,
  publishContentRoute,
  rollBackContentRoute,
  unpublishContentRoute,
} from './content-versions.ts';
import {
  createScheduleRoute,
  exampleSchedule,
  expectedRevision,
  notItsEditor,
  refuseToSchedule,
  renderSchedule,
  scheduleAnswer,
  scheduleAccess,
  tagOf,
  tellScheduleEnd,
  updateScheduleRoute,
} from './schedules.ts';

/**
 * Cancels a waiting plan and keeps it for the record (spec 4.12). A plan that is over is answered as it is.
 *
 * Refused with: 404 unknown id · 401 a caller who may not publish the content.
 */
const cancelScheduleRoute = route({
  ...scheduleAccess,
  method: 'POST',
  path: '/V1/vendorCms/schedule/:id/cancel',
  name: 'cancelSchedule',
  summary: 'Call a plan off',
  description: 'It stays readable as `cancelled`. One that was carried out meanwhile is answered as `done`.',
  outcomes: [scheduleNotFound, notItsEditor],
  examples: [{ title: 'Called off', params: { id: 5 }, body: {}, response: exampleSchedule('cancelled') }],
  params: z.object({ id: idParam }),
  body: z.object({}),
  response: scheduleAnswer,

  async handle(context) {
    const { em, params } = context;
    await refuseToSchedule(context, (await findSchedule(em, params.id)).contentId);
    await cancelSchedule(em, params.id);
    tellScheduleEnd({ scheduleId: params.id }, context);
    return renderSchedule(await findSchedule(em, params.id));
  },
});

/**
 * Removes a plan in any state; a waiting one is never carried out (spec 4.12). A repeat is a 404.
 *
 * Refused with: 404 unknown id · 401 a caller who may not publish the content.
 */
const deleteScheduleRoute = route({
  ...scheduleAccess,
  method: 'DELETE',
  path: '/V1/vendorCms/schedule/:id',
  name: 'deleteSchedule',
  summary: 'Remove a plan',
  description: 'One that waits is never carried out. To keep it for the record, call it off instead.',
  outcomes: [scheduleNotFound, notItsEditor],
  examples: [{ title: 'Removed', params: { id: 5 }, response: true }],
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle(context) {
    const { em, params } = context;
    await refuseToSchedule(context, (await findSchedule(em, params.id)).contentId);
    await deleteSchedule(em, params.id);
    tellScheduleEnd({ scheduleId: params.id }, context);
    return true as const;
  },
});

/** Reads a plan, with an `ETag` (spec 4.12). Refused with: 404 unknown id. */
const getSchedule = route({
  ...scheduleAccess,
  method: 'GET',
  path: '/V1/vendorCms/schedule/:id',
  name: 'getSchedule',
  summary: 'Read a plan',
  description: 'What is to become of which content, and when; afterwards what became of it.',
  outcomes: [scheduleNotFound],
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
const searchSchedulesRoute = listRoute({
  ...scheduleAccess,
  path: '/V1/vendorCms/schedule/search',
  name: 'searchSchedules',
  summary: 'Search plans',
  description: 'By `content_id`, `action`, `state`, `due_at`.',
  outcomes: [attributeNameNotValid],
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
    outcomes: [attributeNameNotValid, pageTooLarge.because('More are found than one answer has.')],
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

    handle: (context) => answerContent(type, context, context.params.id),
  });

/**
 * Saves a draft (spec 4.12): a new one, or what is sent of the one whose id the body names (platform facts 11). It is
 * for the store view of the path; under `/rest/all` for every view that has none of its own.
 *
 * Refused with: 404 unknown id · 409, 412 it was changed since it was read · 400 no name or title, a name that is
 * taken.
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
      view. With an \`id\` it changes that one, as PUT does. Without one a repeat is refused, because the name is
taken.`,
    outcomes: [...unsavable(type), ...unknownOwner(type), unknownContent(type), ...changedSince],
    examples: [{ title: 'A new one', body: exampleBody(type), response: exampleAnswer(type) }],
    body: z.object({ [type.key]: contentPayload(type) }),
    response: contentAnswer,

    async handle(context) {
      const input = contentIn(type, context.body);
      const { em, store, caller } = context;
      if (input.id !== undefined) return change(type, context, { contentId: input.id, given: input });
      const contentId = await createContent(em, {
        ...{ kind: type.kind, storeId: store.storeId, author: caller.name, wish: toContentInput(type, input) },
        ...{ productId: input.productId, categoryId: input.categoryId },
      });
      return answerContent(type, context, contentId);
    },
  });

/**
 * Saves what is sent of content as its next draft and keeps the rest (spec 4.12); `active` and `liveview` count at
 * once. The same twice is one version.
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
    description: `Each change of title, text, CSS or page fields is one more version; what is shown stays until you
publish.
      \`active\` and \`liveview\` count at once. Send the revision you have read, by \`If-Match\` or \`revision\`: then
the
      second of two editors is refused. A repeat changes nothing.${stillSeen(type)}`,
    outcomes: [...unsavable(type), unknownContent(type), ...changedSince],
    examples: [{ title: 'Changed', params: { id: 7 }, body: exampleBody(type), response: exampleAnswer(type, 1) }],
    params: z.object({ id: idParam }),
    body: z.object({ [type.key]: contentPayload(type) }),
    response: contentAnswer,
    handle: (context) => change(type, context, { contentId: context.params.id, given: contentIn(type, context.body) }),
  });

type Context = Pick<RouteContext, 'em' | 'caller' | 'workflows' | 'log' | 'header' | 'setHeader'>;

function contentIn({ key }: ContentType, body: Readonly<Record<string, ContentPayload>>): ContentPayload {
  const input = body[key];
  if (!input) throw fieldRequired(key);
  return input;
}

async function change(
  type: ContentType,
  context: Context,
  { contentId, given }: { contentId: number; given: ContentPayload },
) {
  await changeContent(context.em, {
    ...{ kind: type.kind, contentId, wish: toContentInput(type, given), author: context.caller.name },
    expected: expectedRevision(context.header('if-match'), given.extensionAttributes?.revision),
    render: renderContent,
  });
  await followRenewals(type, context);
  return answerContent(type, context, contentId);
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

    async handle(context) {
      const { em, params, header } = context;
      const expected = expectedRevision(header('if-match'));
      const plans = await findPendingSchedules(em, params.id);
      await deleteContent(em, { kind: type.kind, contentId: params.id, expected, render: renderContent });
      for (const scheduleId of plans) tellScheduleEnd({ scheduleId }, context);
      await followRenewals(type, context);
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
