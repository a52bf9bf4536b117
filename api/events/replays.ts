import { z } from 'zod';
import { replayDeliveries } from '../../db/events/deliveries.ts';
import { findEndpoint } from '../../db/events/endpoints.ts';
import { pingEndpoint } from '../../db/events/ping-endpoint.ts';
import { replaySince } from '../../db/events/replay-since.ts';
import { fieldRequired, invalidValue } from '../../domain/errors.ts';
import { eventName } from '../../domain/events.ts';
import { endpointNotFound } from '../../domain/refusals/register.ts';
import { route, type AnyRoute } from '../http/route.ts';
import { invalidField, requiredField } from '../wire/outcomes.ts';
import { integerBetween, text } from '../wire/schemas.ts';
import { endpointAccess as access, endpointParams as params, endpointsPath as path } from './endpoint-paths.ts';

/** The rest follows with the next call. */
const mostReplayed = 10_000;

const replayRoute = route({
  ...access,
  method: 'POST',
  path: `${path}/:endpointId/replay`,
  name: 'replayWebhookDeliveries',
  summary: 'Send events again',
  description: `Those since a moment, \`since\`, all in one call; or those from \`from\` to \`to\`, by their \`sequence\`: the
same number twice is one event. Each has the id it had, so a receiver that keeps ids takes none twice. A range has at most
${mostReplayed.toLocaleString('en')} of one call: \`last\` is the place of the last of them, and the next call continues after
it. So it does where \`is_whole\` is false: a call since a moment ends after half a minute.`,
  examples: [
    { title: 'One event', params: { endpointId: 1 }, body: { from: 42, to: 42 }, response: { replayed: 1, last: 42 } },
    {
      title: 'All since a moment',
      params: { endpointId: 1 },
      body: { since: '2026-11-27T09:30:00Z' },
      response: { replayed: 12, last: 53, is_whole: true },
    },
  ],
  outcomes: [
    endpointNotFound,
    requiredField('Neither `since` nor both of `from` and `to`.'),
    invalidField('`since` is no moment, or a range is named as well.'),
  ],
  params,
  body: z.object({
    from: integerBetween(1, Number.MAX_SAFE_INTEGER).optional(),
    to: integerBetween(1, Number.MAX_SAFE_INTEGER).optional(),
    since: text(40).optional(),
  }),
  response: z.object({
    replayed: z.int(),
    last: z.int().meta({ description: 'The place of the last of them; 0: there was none.' }),
    is_whole: z.boolean().optional().meta({ description: 'Since a moment: whether all of them are sent.' }),
  }),

  async handle({ em, params: { endpointId }, body: { from, to, since } }) {
    await findEndpoint(em, endpointId);
    if (since !== undefined) {
      if (from !== undefined || to !== undefined) throw invalidValue('from', from ?? to);
      const { isWhole, ...done } = await replaySince(em, { endpointId, since: momentIn(since) });
      return { ...done, is_whole: isWhole };
    }
    if (from === undefined) throw fieldRequired('from');
    if (to === undefined) throw fieldRequired('to');
    return replayDeliveries(em, { endpointId, from, to, limit: mostReplayed });
  },
});

/** ISO 8601; without a zone it is UTC, as all moments of answers are. */
function momentIn(text: string): Date {
  const [, day = '', time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text.trim()) ?? [];
  const at = new Date(`${day}T${time}${zone}`);
  if (Number.isNaN(at.getTime())) throw invalidValue('since', text);
  return at;
}

const pingRoute = route({
  ...access,
  method: 'POST',
  path: `${path}/:endpointId/ping`,
  name: 'pingWebhookEndpoint',
  summary: 'Send a test message to an endpoint',
  description: `An event \`endpoint.ping\` is sent to it, whatever types it wants, and to no other one. What it answered is in
its attempts. Each call sends one; an endpoint that is off or paused gets it when it is on again.`,
  examples: [{ title: 'A test', params: { endpointId: 1 }, response: { event_id: 'evt_57' } }],
  outcomes: [endpointNotFound],
  params,
  response: z.object({ event_id: z.string() }).meta({ id: 'WebhookPing' }),

  async handle({ em, params: { endpointId } }) {
    await findEndpoint(em, endpointId);
    return { event_id: eventName(await pingEndpoint(em, endpointId)) };
  },
});

/** What sends events again, or a test message. */
export const replayRoutes: readonly AnyRoute[] = [replayRoute, pingRoute];
