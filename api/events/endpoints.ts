import { z } from 'zod';
import {
  createEndpoint,
  findEndpoint,
  listAttempts,
  listEndpoints,
  mostCounted,
  rotateSecret,
  updateEndpoint,
} from '../../db/events/endpoints.ts';
import {
  eventName,
  eventTypes,
  deliveryStates,
  endpointFormats,
  endpointStates,
  mostEndpoints,
} from '../../domain/events.ts';
import { refusal } from '../../domain/refusals/refusal.ts';
import { endpointNotFound, tooManyEndpoints, tooManyRotations } from '../../domain/refusals/register.ts';
import { urlFault } from '../../providers/webhooks.ts';
import { webhookId, type WebhookInput } from '../../workflows/messages.ts';
import { endpointAccess as access, endpointParams as params, endpointsPath as path } from './endpoint-paths.ts';
import { replayRoutes } from './replays.ts';
import { secretBoxOf } from '../http/secret-box.ts';
import { done, route, type AnyRoute, type Outcome, type RouteContext } from '../http/route.ts';
import { described, fieldsOf, moment, momentOrNull, named } from '../wire/fields.ts';
import { flag, integerBetween, payload, text } from '../wire/schemas.ts';
import { requiredField } from '../wire/outcomes.ts';
import { deleteEndpoint } from '../../db/events/delete-endpoint.ts';

/** One of the words, however old the row is. */
const oneKnown = <const Word extends string>(words: readonly Word[], otherwise: Word) => ({
  answer: z.enum(words),
  show: (stored: string) => words.find((word) => word === stored) ?? otherwise,
});

const { answer: endpointAnswer, render: renderEndpoint } = fieldsOf(
  {
    endpoint_id: z.int(),
    url: z.string(),
    description: z.string(),
    types: {
      ...described('Empty: every type.', { answer: z.array(z.enum(eventTypes)) }),
      show: (stored: readonly string[]) => stored.flatMap((type) => eventTypes.filter((known) => known === type)),
    },
    format: described('`slack`: one sentence, unsigned, as chats take it.', oneKnown(endpointFormats, 'standard')),
    state: described(
      '`paused`: it took nothing for a day, or answered 410. Switch it on again.',
      oneKnown(endpointStates, 'off'),
    ),
    paused_for: z.string().nullable(),
    former_secret_until: named(
      'formerUntil',
      described('Until then the secret before the last rotation signs as well.', momentOrNull()),
    ),
    failures: z.int().meta({ description: 'In a row.' }),
    failing_since: momentOrNull(),
    held_until: described(
      'It fails whatever it is sent, or asked for it by `Retry-After`, and is left alone until then.',
      momentOrNull(),
    ),
    waiting: z.int().meta({
      description: `Deliveries that were not taken yet; ${mostCounted.toLocaleString('en')} are that or more.`,
    }),
    created_at: moment(),
    updated_at: moment(),
  },
  'WebhookEndpoint',
);

const secretAnswer = endpointAnswer
  .extend({ secret: z.string().meta({ description: 'Shown this once. The receiver verifies signatures with it.' }) })
  .meta({ id: 'WebhookEndpointWithSecret' });

const attempt = fieldsOf(
  {
    attempt_id: z.int(),
    event_id: { answer: z.string(), show: eventName },
    sequence: z.int(),
    type: oneKnown(eventTypes, 'order.placed'),
    delivery_state: named('state', oneKnown(deliveryStates, 'waiting')),
    tries: z.int(),
    at: moment(),
    status: z.int().nullable().meta({ description: 'Null: no answer came.' }),
    took_ms: z.int(),
    failure: z.string().nullable(),
    answer: z.string().nullable().meta({ description: 'The first kilobyte.' }),
  },
  'WebhookAttempt',
);

const inputFields = {
  description: text(255).optional(),
  types: z.array(z.enum(eventTypes)).max(eventTypes.length).optional(),
  format: z.enum(endpointFormats).optional(),
  is_on: flag.optional(),
};
const endpointPayload = payload({ url: text(2_000).optional(), ...inputFields }).meta({ id: 'WebhookEndpointWish' });
const newEndpointPayload = payload({ url: text(2_000), ...inputFields }).meta({ id: 'NewWebhookEndpoint' });

const inputOf = (input: z.output<typeof endpointPayload>) => ({
  url: input.url,
  description: input.description,
  types: input.types,
  format: input.format,
  isOn: input.is_on,
});

const wrongUrl = refusal(400, 'The endpoint cannot be called: %1.', {
  when: 'The address is not a public one, or not HTTPS. A setting of the servers allows others.',
});
const tooMany: Outcome = tooManyEndpoints.because(`${mostEndpoints} endpoints are there already.`);

const shown: z.input<typeof endpointAnswer> = {
  endpoint_id: 1,
  url: 'https://erp.example/hooks/pos',
  description: 'Bookkeeping',
  types: ['order.placed', 'order.refunded'],
  format: 'standard',
  state: 'on',
  paused_for: null,
  former_secret_until: null,
  failures: 0,
  failing_since: null,
  held_until: null,
  waiting: 0,
  created_at: '2026-11-27 09:30:00',
  updated_at: '2026-11-27 09:30:00',
};
const secretShown = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const requested = { endpoint: { url: shown.url, description: shown.description, types: shown.types } };

function refuseWrong(url: string | undefined, { settings }: Pick<RouteContext, 'settings'>): void {
  const fault = url === undefined ? undefined : urlFault(url, settings.WEBHOOKS_TO_PRIVATE_NETWORKS);
  if (fault !== undefined) throw wrongUrl([fault]);
}

/** Housekeeping begins what is not begun here, a minute later. */
const follow = ({ workflows, log }: RouteContext, endpointId: number): void =>
  void workflows
    .start<WebhookInput>({
      workflow: 'webhookWorkflow',
      id: webhookId(endpointId),
      input: { endpointId },
      summary: `Sends events to endpoint ${endpointId}`,
    })
    .catch((error: unknown) => log.warn({ endpointId, error }, 'the deliveries of an endpoint begin a minute later'));

const listEndpointsRoute = route({
  ...access,
  method: 'GET',
  path,
  name: 'listWebhookEndpoints',
  summary: 'The addresses that events are sent to',
  description: 'All of them, with how they do. Secrets are never answered here.',
  examples: [{ title: 'One of bookkeeping', response: { items: [shown] } }],
  outcomes: [],
  response: z.object({ items: z.array(endpointAnswer) }),
  handle: async ({ reader }) => ({ items: (await listEndpoints(reader)).map(renderEndpoint) }),
});

const getEndpoint = route({
  ...access,
  method: 'GET',
  path: `${path}/:endpointId`,
  name: 'getWebhookEndpoint',
  summary: 'One endpoint',
  description: 'With how it does. Its secret is never answered here.',
  examples: [{ title: 'One that does well', params: { endpointId: 1 }, response: shown }],
  outcomes: [endpointNotFound],
  params,
  response: endpointAnswer,
  handle: async ({ reader, params: { endpointId } }) => renderEndpoint(await findEndpoint(reader, endpointId)),
});

const createEndpointRoute = route({
  ...access,
  method: 'POST',
  path,
  name: 'createWebhookEndpoint',
  summary: 'Add an endpoint',
  description: `Events from now on are sent to it by POST, signed after Standard Webhooks. The answer shows its secret,
this once.
    Only public addresses are called, by HTTPS; redirects are not followed. Each call adds one.`,
  examples: [{ title: 'For bookkeeping', body: requested, response: { ...shown, secret: secretShown } }],
  outcomes: [wrongUrl, tooMany, requiredField('No `url`.')],
  isPrivate: true,
  body: z.object({ endpoint: newEndpointPayload }),
  response: secretAnswer,

  async handle(context) {
    const { em, body, settings } = context;
    const input = inputOf(body.endpoint);
    refuseWrong(body.endpoint.url, context);
    const { endpointId, secret } = await createEndpoint(em, {
      wish: { ...input, url: body.endpoint.url },
      box: secretBoxOf(settings),
    });
    if (input.isOn !== false) follow(context, endpointId);
    return { ...renderEndpoint(await findEndpoint(em, endpointId)), secret };
  },
});

const updateEndpointRoute = route({
  ...access,
  method: 'PUT',
  path: `${path}/:endpointId`,
  name: 'updateWebhookEndpoint',
  summary: 'Change an endpoint, or switch it on or off',
  description: `What you leave out stays. Off, it collects its events. Switched on, also after a pause, it gets all that
waits, in
    order, and is tried anew for three days.`,
  examples: [
    { title: 'Switched on again', params: { endpointId: 1 }, body: { endpoint: { is_on: true } }, response: shown },
  ],
  outcomes: [endpointNotFound, wrongUrl],
  params,
  body: z.object({ endpoint: endpointPayload }),
  response: endpointAnswer,

  async handle(context) {
    const { em, body, params: input } = context;
    const command = inputOf(body.endpoint);
    refuseWrong(command.url, context);
    await updateEndpoint(em, input.endpointId, command);
    if (command.isOn === true) follow(context, input.endpointId);
    return renderEndpoint(await findEndpoint(em, input.endpointId));
  },
});

const rotateSecretRoute = route({
  ...access,
  method: 'POST',
  path: `${path}/:endpointId/secret`,
  name: 'rotateWebhookSecret',
  summary: 'Give an endpoint a new secret',
  description: `The answer shows it, this once. The former one signs as well for a day, also where further rotations follow
within it. Each call makes a new one.`,
  examples: [
    {
      title: 'A new one',
      params: { endpointId: 1 },
      response: { ...shown, former_secret_until: '2026-11-28 09:30:00', secret: secretShown },
    },
  ],
  outcomes: [endpointNotFound, tooManyRotations],
  isPrivate: true,
  params,
  response: secretAnswer,

  async handle({ em, params: { endpointId }, settings }) {
    const { secret } = await rotateSecret(em, { endpointId, box: secretBoxOf(settings) });
    return { ...renderEndpoint(await findEndpoint(em, endpointId)), secret };
  },
});

const deleteEndpointRoute = route({
  ...access,
  method: 'DELETE',
  path: `${path}/:endpointId`,
  name: 'deleteWebhookEndpoint',
  summary: 'Delete an endpoint',
  description: 'With its deliveries and their tries. A repeat is a 404.',
  examples: [{ title: 'Gone', params: { endpointId: 1 }, response: true }],
  outcomes: [endpointNotFound],
  params,
  response: z.literal(true),

  handle: ({ em, params: { endpointId } }) => done(deleteEndpoint(em, endpointId)),
});

const mostAttempts = 200;

const listAttemptsRoute = route({
  ...access,
  method: 'GET',
  path: `${path}/:endpointId/attempts`,
  name: 'listWebhookAttempts',
  summary: 'What an endpoint answered',
  description: 'Its tries, newest first, kept for 30 days. `before` is the last `attempt_id` that you have.',
  examples: [
    {
      title: 'One that failed',
      params: { endpointId: 1 },
      response: {
        items: [
          {
            ...{
              attempt_id: 9,
              event_id: 'evt_57',
              sequence: 42,
              type: 'order.placed',
              delivery_state: 'waiting',
              tries: 1,
            },
            ...{ at: '2026-11-27 09:30:00', status: 500, took_ms: 12, failure: null, answer: 'no database' },
          },
        ],
      },
    },
  ],
  outcomes: [endpointNotFound],
  params,
  query: z.object({
    before: integerBetween(1, Number.MAX_SAFE_INTEGER).optional(),
    limit: integerBetween(1, mostAttempts).optional(),
  }),
  response: z.object({ items: z.array(attempt.answer) }),

  async handle({ reader, params: { endpointId }, query: { before, limit = 50 } }) {
    await findEndpoint(reader, endpointId);
    return { items: (await listAttempts(reader, { endpointId, before, limit })).map(attempt.render) };
  },
});

/** The endpoints of webhooks (`docs/inside/events.md`), for administrators. */
export const endpointRoutes: readonly AnyRoute[] = [
  listEndpointsRoute,
  getEndpoint,
  createEndpointRoute,
  updateEndpointRoute,
  rotateSecretRoute,
  deleteEndpointRoute,
  listAttemptsRoute,
  ...replayRoutes,
];
