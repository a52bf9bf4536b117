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
import type { WebhookSender } from '../providers/webhooks.ts';
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
   * Sends what is due to an endpoint, in order per object, until the step is over. Each delivery is claimed in its own commit
   * before it is sent: who dies over it leaves it to the next after its lease, and it is sent again under the same id.
   * Two at once send different deliveries.
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
    const endpoint = await followEndpoint(em, endpointId);
    if (!endpoint) return { ...done, isOn: false };
    await givePlaces(em);
    const hasMore = await planDeliveries(em, endpointId);
    const limit = endpoint.isHeld ? 0 : endpoint.isFailing ? 1 : atOnce;
    const claimed = limit === 0 ? [] : await claimDeliveries(em, { endpointId, limit });
    const sent = await sendAll(dependencies, endpoint, claimed);
    done.delivered += sent.filter(Boolean).length;
    done.failed += sent.filter((isTaken) => !isTaken).length;
    if (sent.some((isTaken) => !isTaken))
      log.warn({ endpointId, failed: sent.length }, 'an endpoint did not take events');
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
  const em = dependencies.orm.em.fork();
  const events = await readEvents(
    em,
    claimed.map(({ eventId }) => eventId),
  );
  const bodies = new Map<number, string>();
  const render = endpoint.format === 'standard' ? await dependencies.render() : undefined;
  const shown = render ? await render(em, events) : events.map((event) => ({ text: sentenceOf(event, dependencies) }));
  for (const [at, { eventId }] of events.entries()) bodies.set(eventId, JSON.stringify(shown[at]));
  return Promise.all(
    claimed.map((one) => sendOne(dependencies, { endpoint, claimed: one, body: bodies.get(one.eventId) ?? '{}' })),
  );
}

async function sendOne(
  { orm, sender, box }: EventDependencies,
  { endpoint, claimed, body }: { endpoint: EndpointToCall; claimed: ClaimedDelivery; body: string },
): Promise<boolean> {
  const { endpointId, url, format, sealedSecret, sealedFormerSecret } = endpoint;
  const sealed = [sealedSecret, ...(sealedFormerSecret === null ? [] : [sealedFormerSecret])];
  const secrets = format === 'standard' ? sealed.map((one) => box.open(one, webhookSecretPurpose)) : [];
  const sent = await sender.send({ url, id: eventName(claimed.eventId), body, secrets });
  await recordTry(orm.em.fork(), { ...sent, deliveryId: claimed.deliveryId, endpointId, tries: claimed.tries });
  return sent.isTaken;
}
