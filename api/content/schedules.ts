import { z } from 'zod';
import { findKind, findSchedule } from '../../db/content/read-content.ts';
import { changeSchedule, createSchedule } from '../../db/content/save-schedule.ts';
import { scheduleActions, scheduleStates, type ExpectedRevision } from '../../domain/content.ts';
import { fieldRequired, noSuchEntity, notPermitted, PosError } from '../../domain/errors.ts';
import {
  alreadyScheduledThen,
  scheduleHasEnded,
  scheduleNotFound,
  versionNotFound,
} from '../../domain/refusals/content.ts';
import { contentScheduleId, refreshSignal } from '../../workflows/messages.ts';
import { posStatus } from '../../workflows/support/search-attributes.ts';
import { route, type Outcome, type RouteContext } from '../http/route.ts';
import { described, fieldsOf, integer, moment, named, oneOf, orAbsent, ownId, perhaps } from '../wire/fields.ts';
import { unknownEntity } from '../wire/outcomes.ts';
import { idParam, stockDate } from '../wire/schemas.ts';
import { changedSince } from './content-answer.ts';
import { typeOf } from './content-type.ts';

type Context = Pick<RouteContext, 'workflows' | 'log'>;

/**
 * Starts the workflow of a schedule, or signals it after a change. Best effort, after the commit: the route does not
 * wait for it, and the sweep each minute finds what Temporal missed.
 */
function followSchedule({ scheduleId }: { scheduleId: number }, { workflows, log }: Context): void {
  workflows
    .start({
      workflow: 'contentScheduleWorkflow',
      id: contentScheduleId(scheduleId),
      input: { scheduleId },
      summary: `Schedule ${scheduleId} of content`,
      searchAttributes: [{ key: posStatus, value: 'pending' }],
      signal: refreshSignal,
    })
    .catch((error: unknown) =>
      log.warn({ scheduleId, error }, 'a schedule is not followed yet; the sweep takes it up'),
    );
}

/** Signals the workflow of a deleted or cancelled schedule, so that it ends; best effort. */
export function tellScheduleEnd({ scheduleId }: { scheduleId: number }, { workflows, log }: Context): void {
  workflows.signal(refreshSignal, contentScheduleId(scheduleId)).catch((error: unknown) => {
    if (!(error instanceof PosError) || error.status !== 404)
      log.warn({ scheduleId, error }, 'the workflow of a schedule was not told; it finds out when it is due');
  });
}

/**
 * A caller who schedules content must also be allowed to publish it: the resource for schedules alone is not enough.
 *
 * Refused with: 404 unknown content · 401 without the resource of its type.
 */
export async function refuseToSchedule({ em, caller }: Pick<RouteContext, 'em' | 'caller'>, contentId: number) {
  const kind = await findKind(em, contentId);
  if (kind === undefined) throw noSuchEntity('contentId', contentId);
  const { write } = typeOf(kind);
  if (!caller.can(write)) throw notPermitted([write]);
}

/** A schedule of content. What a read answered may be sent back. */
const schedule = fieldsOf(
  {
    id: ownId('scheduleId'),
    content_id: { sent: idParam, answer: z.int() },
    action: oneOf(scheduleActions),
    version: named('number', described('What is published; absent: the newest at that moment.', orAbsent(integer()))),
    due_at: { ...described('UTC.', moment()), sent: stockDate },
    state: z.enum(scheduleStates),
    author: z.string(),
    refusal: perhaps(z.string().meta({ description: 'Why it failed.' })),
    ended_at: perhaps(moment()),
    created_at: moment(),
    updated_at: moment(),
    revision: integer(),
  },
  'ContentSchedule',
);

type SchedulePayload = z.output<typeof schedule.sent>;

const toScheduleInput = (sent: SchedulePayload) => {
  const { action, number, dueAt } = schedule.draft(sent);
  return { action, number, dueAt };
};

export const { answer: scheduleAnswer, render: renderSchedule } = schedule;
export type ScheduleAnswer = z.input<typeof scheduleAnswer>;

export const exampleSchedule = (state: ScheduleAnswer['state']): ScheduleAnswer => ({
  ...{ id: 5, content_id: 7, action: 'publish', due_at: '2026-12-01 06:00:00', state, author: 'ada' },
  ...(state === 'pending' ? {} : { ended_at: '2026-12-01 06:00:00' }),
  ...{ created_at: '2026-11-23 09:30:00', updated_at: '2026-11-23 09:30:00', revision: 1 },
});

const exampleScheduleBody = {
  schedule: { content_id: 7, action: 'publish', due_at: '2026-12-01 06:00:00' },
};

/** The tag of content as it is now, for `ETag`. */
export const tagOf = ({ revision }: { revision: number }) => `"${revision}"`;

/**
 * The revision that the caller expects to change: from an `If-Match` header, else from the body; undefined where
 * neither is sent, as platform clients do.
 */
export function expectedRevision(ifMatch: string | undefined, inBody?: number): ExpectedRevision | undefined {
  const tags = ifMatch?.trim();
  if (tags !== undefined && tags !== '' && tags !== '*')
    return { revisions: [...tags.matchAll(/"(\d{1,9})"/g)].map(([, number]) => Number(number)), isByHeader: true };
  return inBody === undefined ? undefined : { revisions: [inBody], isByHeader: false };
}

/** What all routes of schedules have in common. */
export const scheduleAccess = { acl: 'Vendor_Cms::schedule', isForAdmins: true } as const;

export const notItsEditor: Outcome = {
  status: 401,
  message: "The consumer isn't authorized to access %resources.",
  when: 'Who may not publish this content may not plan it either.',
};

/** For a new plan; the content of a plan that exists is there, because its plans go with it. */
const unknownContentOfPlan: Outcome = unknownEntity('There is no such content.');

const unplannable: readonly Outcome[] = [versionNotFound, notItsEditor, alreadyScheduledThen];

const unchangeable: readonly Outcome[] = [scheduleNotFound, scheduleHasEnded, ...changedSince];

/**
 * Plans that content is published, or taken back, at a moment (spec 4.12); one that has passed is carried out at once.
 * With an `id` it changes that plan. The same plan twice, while it waits, is one.
 *
 * Refused with: 404 no such content or version · 401 who may not publish it · 400 no action or moment.
 */
export const createScheduleRoute = route({
  ...scheduleAccess,
  method: 'POST',
  path: '/V1/vendorCms/schedule',
  name: 'createSchedule',
  summary: 'Plan a publication, or its end',
  description: `\`due_at\` is UTC; a moment that has passed is carried out at once. Without a \`version\` the newest draft of
    that moment is published. It is carried out once, whatever restarts in between.`,
  outcomes: [unknownContentOfPlan, ...unplannable, ...unchangeable],
  examples: [{ title: 'Tomorrow’s offer', body: exampleScheduleBody, response: exampleSchedule('pending') }],
  body: z.object({ schedule: schedule.sent }),
  response: scheduleAnswer,

  async handle(context) {
    const { em, body, caller } = context;
    if (body.schedule.id !== undefined) return change(context, body.schedule.id, body.schedule);
    const { contentId } = schedule.draft(body.schedule);
    if (contentId === undefined) throw fieldRequired('contentId');
    await refuseToSchedule(context, contentId);
    const input = toScheduleInput(body.schedule);
    return answer(context, await createSchedule(em, { contentId, wish: input, author: caller.name }));
  },
});

/**
 * Changes a plan that waits (spec 4.12). A repeat changes nothing.
 *
 * Refused with: 404 unknown id or version · 401 who may not publish it · 400 it is over · 409, 412 it was changed.
 */
export const updateScheduleRoute = route({
  ...scheduleAccess,
  method: 'PUT',
  path: '/V1/vendorCms/schedule/:id',
  name: 'updateSchedule',
  summary: 'Change a plan that waits',
  description: 'What is left out stays. What it is for cannot be changed: delete it and make another.',
  outcomes: [...unplannable, ...unchangeable],
  examples: [{ title: 'Later', params: { id: 5 }, body: exampleScheduleBody, response: exampleSchedule('pending') }],
  params: z.object({ id: idParam }),
  body: z.object({ schedule: schedule.sent }),
  response: scheduleAnswer,
  handle: (context) => change(context, context.params.id, context.body.schedule),
});

type ScheduleContext = Pick<RouteContext, 'em' | 'caller' | 'workflows' | 'log' | 'header' | 'setHeader'>;

async function change(context: ScheduleContext, scheduleId: number, input: SchedulePayload) {
  const { em, caller, header } = context;
  await refuseToSchedule(context, (await findSchedule(em, scheduleId)).contentId);
  const expected = expectedRevision(header('if-match'), input.revision);
  await changeSchedule(em, { scheduleId, wish: toScheduleInput(input), author: caller.name, expected });
  return answer(context, scheduleId);
}

async function answer(context: ScheduleContext, scheduleId: number) {
  const row = await findSchedule(context.em, scheduleId);
  if (row.state === 'pending') followSchedule(row, context);
  context.setHeader('ETag', tagOf(row));
  return renderSchedule(row);
}
