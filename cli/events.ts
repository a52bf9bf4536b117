import type { Command } from 'commander';
import { replayDeliveries } from '../db/events/deliveries.ts';
import { pingEndpoint } from '../db/events/ping-endpoint.ts';
import { replaySince } from '../db/events/replay-since.ts';
import {
  createEndpoint,
  findEndpoint,
  listAttempts,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
  type EndpointRow,
} from '../db/events/endpoints.ts';
import { givePlaces, readFeed, readFeedEnds, readLast } from '../db/events/feed.ts';
import { invalid } from '../domain/errors.ts';
import { eventName, isEventType, type EventType, type ReportedEvent } from '../domain/events.ts';
import { urlFault } from '../providers/webhooks.ts';
import type { ProgramParts } from './program-parts.ts';
import { fine, columns, rowId, type Answer, type CommandContext } from './support.ts';
import { deleteEndpoint } from '../db/events/delete-endpoint.ts';

/** Adds the commands for events, their endpoints and their deliveries. */
export function addEventCommands(program: Command, { answer }: ProgramParts): void {
  const events = program.command('events').description('what happened, and where it is sent to');
  events
    .command('tail')
    .description('the last events, oldest first')
    .option('--after <sequence>', 'from this place on')
    .option('--types <types>', 'only these: order.placed,refund.uncertain,…')
    .option('--lines <number>', 'so many', '20')
    .option('--follow', 'wait for more, until Ctrl-C')
    .action((options: TailOptions) => answer((shop) => tailEvents(shop, options)));
  events
    .command('replay <endpoint> [from] [to]')
    .description(
      'send events again, by their places in the feed: one, or all from one to another; or all since a moment',
    )
    .option('--since <moment>', 'all since then: 2026-11-27T09:30:00Z')
    .action((endpoint: string, from: string | undefined, to: string | undefined, { since }: { since?: string }) =>
      answer((shop) =>
        since === undefined
          ? replayEvents(shop, endpoint, from ?? '', to)
          : replayEventsSince(shop, endpoint, since, from),
      ),
    );

  const endpoints = events.command('endpoints').description('where events are sent to');
  endpoints
    .command('list', { isDefault: true })
    .description('all of them, and how they do')
    .action(() => answer(showEndpoints));
  endpoints
    .command('create <url>')
    .description('add one; its secret is shown once')
    .option('--types <types>', 'only these; absent: every type')
    .option('--description <text>', 'for people', '')
    .option('--slack', 'a chat: one sentence for each event, unsigned')
    .action((url: string, options: EndpointOptions) => answer((shop) => addEndpoint(shop, url, options)));
  endpoints
    .command('on <id>')
    .description('switch it on, also after a pause: it gets all that waits')
    .action((id: string) => answer((shop) => switchEndpoint(shop, id, true)));
  endpoints
    .command('off <id>')
    .description('switch it off: it collects its events')
    .action((id: string) => answer((shop) => switchEndpoint(shop, id, false)));
  endpoints
    .command('rotate <id>')
    .description('give it a new secret, shown once; for a day the former one signs as well')
    .action((id: string) => answer((shop) => rotateEndpoint(shop, id)));
  endpoints
    .command('ping <id>')
    .description('send it a test message; its answer is among its attempts')
    .action((id: string) => answer((shop) => pingOne(shop, id)));
  endpoints
    .command('delete <id>')
    .description('delete it with its deliveries')
    .action((id: string) => answer((shop) => removeEndpoint(shop, id)));
  endpoints
    .command('attempts <id>')
    .description('its last tries, newest first')
    .action((id: string) => answer((shop) => showAttempts(shop, id)));
}

interface TailOptions {
  after?: string;
  types?: string;
  lines?: string;
  follow?: boolean;
}

interface EndpointOptions {
  types?: string;
  description?: string;
  slack?: boolean;
}

const mostLines = 1_000;
const lookEveryMs = 1_000;

/** `events tail`. Following, it prints each event as it comes, and never ends by itself. */
export async function tailEvents(
  { em }: Pick<CommandContext, 'em'>,
  { after, types, lines = '20', follow = false }: TailOptions,
  print: (line: string) => void = console.log,
): Promise<Answer> {
  const connected = await em();
  await givePlaces(connected);
  const limit = Math.min(mostLines, wholeNumber('lines', lines));
  const requested = typesIn(types);
  const { newest } = await readFeedEnds(connected);
  const from = after === undefined ? newest : wholeNumber('after', after);
  let found =
    after === undefined
      ? await readLast(connected, { types: requested, limit })
      : await readFeed(connected, { after: from, types: requested, limit });
  if (!follow) return fine(found.length === 0 ? 'No events.' : columns(found.map(lineOf)), found);
  for (let last = from; ;) {
    for (const event of found) print(lineOf(event).join('  '));
    last = found.at(-1)?.sequence ?? last;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    await givePlaces(connected);
    found = await readFeed(connected, { after: last, types: requested, limit });
  }
}

const lineOf = ({ sequence, occurredAt, type, objectKind, objectId, facts }: ReportedEvent): string[] => [
  String(sequence),
  occurredAt,
  type,
  `${objectKind} ${objectId}`,
  JSON.stringify(facts),
];

const mostReplayed = 10_000;

/** `events replay`: sends events again under the ids they had. A repeat sends them once more. */
export async function replayEvents(
  { em }: Pick<CommandContext, 'em'>,
  endpoint: string,
  from: string,
  to: string = from,
): Promise<Answer> {
  const connected = await em();
  const { endpointId } = await findEndpoint(connected, rowId(endpoint, 'webhook'));
  const range = { from: wholeNumber('from', from), to: wholeNumber('to', to) };
  await givePlaces(connected);
  const { replayed, last } = await replayDeliveries(connected, { endpointId, ...range, limit: mostReplayed });
  const more = replayed === mostReplayed ? ` There may be more: go on from ${last + 1}.` : '';
  return fine(`${replayed} events are sent to endpoint ${endpointId} again.${more}`, { replayed, last });
}

/** `events replay --since`: sends all events since a moment again. A repeat sends them once more. */
export async function replayEventsSince(
  { em }: Pick<CommandContext, 'em'>,
  endpoint: string,
  since: string,
  from?: string,
): Promise<Answer> {
  if (from !== undefined) throw invalid('Name places, or --since, not both.');
  const at = new Date(/(?:Z|[+-]\d{2}:?\d{2})$|^\d{4}-\d{2}-\d{2}$/.test(since) ? since : `${since}Z`);
  if (Number.isNaN(at.getTime())) throw invalid('"%1" is no moment such as 2026-11-27T09:30:00Z.', [since]);
  const connected = await em();
  const { endpointId } = await findEndpoint(connected, rowId(endpoint, 'webhook'));
  await givePlaces(connected);
  const { replayed, last, isWhole } = await replaySince(connected, { endpointId, since: at });
  const more = isWhole
    ? ''
    : ` There are more: continue with events replay ${endpointId} ${last + 1} and the last place.`;
  return fine(`${replayed} events since ${at.toISOString()} are sent to endpoint ${endpointId} again.${more}`, {
    ...{ replayed, last, isWhole },
  });
}

/** `events endpoints ping`. Each call sends one message. */
export async function pingOne({ em }: Pick<CommandContext, 'em'>, id: string): Promise<Answer> {
  const connected = await em();
  const { endpointId } = await findEndpoint(connected, rowId(id, 'webhook'));
  const eventId = eventName(await pingEndpoint(connected, endpointId));
  return fine(
    `Event ${eventId} is sent to endpoint ${endpointId}. Its answer: pos events endpoints attempts ${endpointId}`,
    { event_id: eventId, endpoint_id: endpointId },
  );
}

/** `events endpoints`. */
export async function showEndpoints({ em }: Pick<CommandContext, 'em'>): Promise<Answer> {
  const all = await listEndpoints(await em());
  const rows = all.map((one) => [
    String(one.endpointId),
    stateOf(one),
    String(one.waiting),
    one.format,
    one.url,
    typesOf(one),
  ]);
  return fine(
    all.length === 0 ? 'No endpoints.' : columns([['ID', 'STATE', 'WAITING', 'FORMAT', 'URL', 'TYPES'], ...rows]),
    all,
  );
}

const stateOf = ({ state, failures }: EndpointRow) => (failures > 0 ? `${state}, ${failures} failures` : state);
const typesOf = ({ types }: EndpointRow) => (types.length === 0 ? 'every type' : types.join(', '));

/** `events endpoints create`. Each call adds one. A worker begins within a minute. */
export async function addEndpoint(
  { em, secrets, settings }: Pick<CommandContext, 'em' | 'secrets' | 'settings'>,
  url: string,
  { types, description = '', slack = false }: EndpointOptions,
): Promise<Answer> {
  const fault = urlFault(url, settings.WEBHOOKS_TO_PRIVATE_NETWORKS);
  if (fault !== undefined) throw invalid('The endpoint cannot be called: %1.', [fault]);
  const input = { url, description, types: typesIn(types), format: slack ? 'slack' : 'standard' } as const;
  const made = await createEndpoint(await em(), { wish: input, box: secrets() });
  return fine(
    `Endpoint ${made.endpointId} gets events from now on; a worker begins within a minute.\nSecret: ${made.secret}\nIt is not shown again.`,
    made,
  );
}

/** `events endpoints on` and `off`. A repeat changes nothing. */
export async function switchEndpoint({ em }: Pick<CommandContext, 'em'>, id: string, isOn: boolean): Promise<Answer> {
  const endpointId = rowId(id, 'webhook');
  await updateEndpoint(await em(), endpointId, { isOn });
  return fine(
    isOn
      ? `Endpoint ${endpointId} is on; what waits goes within a minute.`
      : `Endpoint ${endpointId} is off; it collects its events.`,
    { endpointId, isOn },
  );
}

/** `events endpoints rotate`. Each call makes a new secret. */
export async function rotateEndpoint(
  { em, secrets }: Pick<CommandContext, 'em' | 'secrets'>,
  id: string,
): Promise<Answer> {
  const made = await rotateSecret(await em(), { endpointId: rowId(id, 'webhook'), box: secrets() });
  return fine(`Secret: ${made.secret}\nIt is not shown again. For a day the former one signs as well.`, made);
}

/** `events endpoints delete`. */
export async function removeEndpoint({ em }: Pick<CommandContext, 'em'>, id: string): Promise<Answer> {
  const endpointId = rowId(id, 'webhook');
  await deleteEndpoint(await em(), endpointId);
  return fine(`Endpoint ${endpointId} is deleted, with its deliveries.`, { endpointId });
}

const shownAttempts = 50;

/** `events endpoints attempts`. */
export async function showAttempts({ em }: Pick<CommandContext, 'em'>, id: string): Promise<Answer> {
  const connected = await em();
  const { endpointId } = await findEndpoint(connected, rowId(id, 'webhook'));
  const tries = await listAttempts(connected, { endpointId, before: undefined, limit: shownAttempts });
  const rows = tries.map((one) => [
    one.at,
    eventName(one.eventId),
    one.type,
    one.status === null ? '—' : String(one.status),
    `${one.tookMs} ms`,
    one.failure ?? one.state,
  ]);
  return fine(
    rows.length === 0
      ? 'Nothing was sent yet.'
      : columns([['AT (UTC)', 'EVENT', 'TYPE', 'STATUS', 'TOOK', ''], ...rows]),
    tries,
  );
}

function typesIn(input: string | undefined): EventType[] {
  const types: EventType[] = [];
  for (const word of (input ?? '').split(',').map((one) => one.trim())) {
    if (word === '') continue;
    if (!isEventType(word)) throw invalid('"%1" is no type of event.', [word]);
    types.push(word);
  }
  return types;
}

function wholeNumber(name: string, input: string): number {
  if (!/^\d{1,15}$/.test(input)) throw invalid('"%1" is no whole number, but %2 is one.', [input, name]);
  return Number(input);
}
