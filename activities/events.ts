import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { asyncLocalStorage } from '@temporalio/activity';
import {
  claimDeliveries,
  followEndpoint,
  hasWork,
  planDeliveries,
  recordTry,
  type ClaimedDelivery,
  type EndpointToCall,
} from '../db/events/deliveries.ts';
import { webhookSecretPurpose } from '../db/events/endpoints.ts';
import { givePlaces, readEvents } from '../db/events/feed.ts';
import type { SecretBox } from '../db/support/secret-box.ts';
import { eventName, sentenceOf, type ReportedEvent } from '../domain/events.ts';
import type { Log } from '../providers/log.ts';
import type { Sent, WebhookSender } from '../providers/webhooks.ts';
import { whileAlive } from './support.ts';

/** The dependencies of deliveries; passed in once by the worker, or by a test. */
export interface EventDependencies {
  orm: MikroORM;
  sender: WebhookSender;
  box: Pick<SecretBox, 'open'>;
  /** Shows events with their objects, as the API does; the routes are in `api`. */
  render: () => Promise<(em: EntityManager, events: readonly ReportedEvent[]) => Promise<readonly object[]>>;
  log: Pick<Log, 'info' | 'warn'>;
  /** How long one step looks for work; absent: half a minute. */
  stepMs?: number;
  /** For links in sentences. */
  publicUrl?: string;
}

export type EventActivities = ReturnType<typeof createEventActivities>;

/** What one step did. */
export interface Delivered {
  isOn: boolean;
  delivered: number;
  failed: number;
}

/** Of different objects. An endpoint is a program of somebody else: a flood would look like an attack. */
const atOnce = 4;
const usualStepMs = 30_000;
/** Between two looks where nothing is due. */
const pauseMs = 300;

export const createEventActivities = (dependencies: EventDependencies) => ({
  /**
   * Sends what is due to an endpoint, in order per object, until the step is over. Each delivery is claimed in its own
   * commit before it is sent: who dies over it leaves it to the next after its lease, and it is sent again under the
   * same id. Two at once send different deliveries.
   */
  deliverEvents: ({ endpointId }: { endpointId: number }): Promise<Delivered> =>
    whileAlive(() => deliver(dependencies, endpointId)),
});

async function deliver(dependencies: EventDependencies, endpointId: number): Promise<Delivered> {
  const { orm, log, stepMs = usualStepMs } = dependencies;
  const done = { isOn: true, delivered: 0, failed: 0 };
  const until = performance.now() + stepMs;
  const isStopped = () => asyncLocalStorage.getStore()?.cancellationSignal.aborted === true;
  do {
    const em = orm.em.fork();
    await givePlaces(em);
    const endpoint = await followEndpoint(em, endpointId);
    if (!endpoint) return { ...done, isOn: false };
    const hasMore = endpoint.hasEvents && (await planDeliveries(em, endpointId));
    const limit = endpoint.isHeld ? 0 : endpoint.isFailing ? 1 : atOnce;
    const claimed = limit === 0 ? [] : await claimDeliveries(em, { endpointId, limit });
    const sent = await sendAll(dependencies, endpoint, claimed);
    const failed = sent.filter((isTaken) => !isTaken).length;
    done.delivered += sent.length - failed;
    done.failed += failed;
    if (failed > 0) log.warn({ endpointId, failed }, 'an endpoint did not take events');
    if (claimed.length === 0 && !hasMore)
      await untilWork(em, endpointId, () => performance.now() >= until || isStopped());
  } while (performance.now() < until && !isStopped());
  return done;
}

async function untilWork(em: EntityManager, endpointId: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    if (await hasWork(em, endpointId)) return;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** @returns of each whether it was taken */
async function sendAll(
  dependencies: EventDependencies,
  endpoint: EndpointToCall,
  claimed: readonly ClaimedDelivery[],
): Promise<boolean[]> {
  if (claimed.length === 0) return [];
  const ids = claimed.map(({ eventId }) => eventId);
  const events = await readEvents(dependencies.orm.em.fork(), ids);
  const bodies = await writeBodies(dependencies, endpoint, events);
  return Promise.all(
    // One whose event was purged meanwhile has nothing to send, and no row any more.
    claimed.flatMap((one) =>
      bodies.has(one.eventId) ? [sendOne(dependencies, { endpoint, claimed: one, body: bodies.get(one.eventId) })] : [],
    ),
  );
}

/** By the events' ids; undefined: its object cannot be shown, which must not keep the others back. */
async function writeBodies(
  dependencies: EventDependencies,
  { endpointId, format }: EndpointToCall,
  events: readonly ReportedEvent[],
): Promise<Map<number, string | undefined>> {
  const { orm, log } = dependencies;
  if (format === 'slack')
    return new Map(events.map((event) => [event.eventId, JSON.stringify({ text: sentenceOf(event, dependencies) })]));
  const render = await dependencies.render();
  const bodies = new Map<number, string | undefined>();
  for (const event of events) {
    try {
      bodies.set(event.eventId, JSON.stringify((await render(orm.em.fork(), [event]))[0]));
    } catch (error) {
      log.warn({ endpointId, eventId: event.eventId, error }, 'the object of an event could not be shown');
      bodies.set(event.eventId, undefined);
    }
  }
  return bodies;
}

async function sendOne(
  { orm, sender, box }: EventDependencies,
  { endpoint, claimed, body }: { endpoint: EndpointToCall; claimed: ClaimedDelivery; body: string | undefined },
): Promise<boolean> {
  const { endpointId, url, format, sealedSecret, sealedFormerSecret, sealedOlderSecrets } = endpoint;
  const sealed = [sealedSecret, ...(sealedFormerSecret === null ? [] : [sealedFormerSecret]), ...sealedOlderSecrets];
  const secrets = format === 'standard' ? sealed.map((one) => box.open(one, webhookSecretPurpose)) : [];
  const sent =
    body === undefined ? notShown : await sender.send({ url, id: eventName(claimed.eventId), body, secrets });
  await recordTry(orm.em.fork(), { ...sent, deliveryId: claimed.deliveryId, endpointId, tries: claimed.tries });
  return sent.isTaken;
}

const notShown = {
  ...{ isTaken: false, status: null, tookMs: 0, answer: null },
  failure: 'not sent: its object cannot be shown',
} as const satisfies Sent;
