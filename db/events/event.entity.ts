import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { eventTypes, objectKinds, deliveryStates, endpointFormats, endpointStates } from '../../domain/events.ts';
import { timestamps } from '../support/shop-clock.ts';

/**
 * What became true of an object, told by triggers in the transaction that made it true (`docs/inside/events.md`). The
 * facts are of that moment: ids, figures and states, never a person's words, a secret or card data. The object is read
 * when it is shown.
 */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'pos_event',
  properties: {
    /** Drawn while the object's row is locked: of one object, the order of the ids is the order of what happened. */
    eventId: p.bigint('number').primary().autoincrement(),
    /** Its place in the feed, given once its transaction is committed; null until then. */
    sequence: p.bigint('number').nullable(),
    type: p.enum(eventTypes),
    version: p.smallint().default(1),
    objectKind: p.enum(objectKinds),
    objectId: p.string().length(64),
    facts: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    occurredAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
  indexes: [
    { name: 'pos_event_without_place', properties: ['eventId'], where: 'sequence is null' },
    // For whoever reads few types: a sale costs nothing more, as its events have no place yet.
    { name: 'pos_event_of_type', properties: ['type', 'sequence'], where: 'sequence is not null' },
  ],
  uniques: [{ name: 'pos_event_place', properties: ['sequence'], where: 'sequence is not null' }],
});
export type Event = InferEntity<typeof Event>;

/** An address outside that events are sent to. */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    endpointId: p.bigint('number').primary().autoincrement(),
    url: p.string().length(2_000),
    description: p.string().length(255).default(''),
    /** Empty: every type. */
    types: p.array().defaultRaw(`'{}'`),
    format: p.enum(endpointFormats).default('standard'),
    state: p.enum(endpointStates).default('on'),
    /** Why it is paused, for people. */
    pausedFor: p.string().length(255).nullable(),
    sealedSecret: p.text().hidden(),
    /** The secret before the last rotation, which signs beside the new one for a day. */
    sealedFormerSecret: p.text().nullable().hidden(),
    formerUntil: p.datetime(6).nullable(),
    /** Events up to this place are among its deliveries. */
    plannedUpTo: p.bigint('number').defaultRaw('0'),
    /** Failures in a row, and since when nothing succeeded. */
    failures: p.integer().default(0),
    failingSince: p.datetime(6).nullable(),
    /** Until then it is left alone. */
    heldUntil: p.datetime(6).nullable(),
    /** When its workflow last looked for work. */
    followedAt: p.datetime(6).nullable(),
    ...timestamps,
  },
});
export type WebhookEndpoint = InferEntity<typeof WebhookEndpoint>;

/** Secrets of rotations before the last one, each until its day is over. */
export const WebhookOlderSecret = defineEntity({
  name: 'WebhookOlderSecret',
  tableName: 'webhook_older_secret',
  properties: {
    olderSecretId: p.bigint('number').primary().autoincrement(),
    endpointId: () => p.manyToOne(WebhookEndpoint).mapToPk().fieldName('endpoint_id').index().deleteRule('cascade'),
    sealedSecret: p.text().hidden(),
    signsUntil: p.datetime(6),
  },
});
export type WebhookOlderSecret = InferEntity<typeof WebhookOlderSecret>;

/** One event on its way to one endpoint. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    deliveryId: p.bigint('number').primary().autoincrement(),
    endpointId: () => p.manyToOne(WebhookEndpoint).mapToPk().fieldName('endpoint_id').deleteRule('cascade'),
    eventId: () => p.manyToOne(Event).mapToPk().fieldName('event_id').index().deleteRule('cascade'),
    /** The event's place and object, so that the next one to send is found by index. */
    sequence: p.bigint('number'),
    objectKey: p.string().length(100),
    state: p.enum(deliveryStates).default('waiting'),
    /** Of those that wait, the first of its object: only that one is sent. */
    isNext: p.boolean().default(true),
    tries: p.integer().default(0),
    dueAt: p.datetime(6).defaultRaw('now()'),
    /** Three days from here it is given up. */
    firstTriedAt: p.datetime(6).nullable(),
    deliveredAt: p.datetime(6).nullable(),
  },
  uniques: [{ name: 'webhook_delivery_once', properties: ['endpointId', 'eventId'] }],
  indexes: [
    {
      name: 'webhook_delivery_next',
      properties: ['endpointId', 'dueAt', 'sequence'],
      where: `state = 'waiting' and is_next`,
    },
    {
      name: 'webhook_delivery_of_object',
      properties: ['endpointId', 'objectKey', 'sequence'],
      where: `state = 'waiting'`,
    },
  ],
});
export type WebhookDelivery = InferEntity<typeof WebhookDelivery>;

/** One try to deliver, for the people who look for the mistake. */
export const WebhookAttempt = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempt',
  properties: {
    attemptId: p.bigint('number').primary().autoincrement(),
    deliveryId: () => p.manyToOne(WebhookDelivery).mapToPk().fieldName('delivery_id').index().deleteRule('cascade'),
    endpointId: () => p.manyToOne(WebhookEndpoint).mapToPk().fieldName('endpoint_id').deleteRule('cascade'),
    at: p.datetime(6).defaultRaw('now()'),
    /** Null: there was no answer. */
    status: p.integer().nullable(),
    tookMs: p.integer(),
    failure: p.string().length(255).nullable(),
    /** The first kilobyte of the answer. */
    answer: p.string().length(1_024).nullable(),
  },
  indexes: [{ properties: ['endpointId', 'attemptId'] }],
});
export type WebhookAttempt = InferEntity<typeof WebhookAttempt>;

export const eventEntities = [Event, WebhookEndpoint, WebhookOlderSecret, WebhookDelivery, WebhookAttempt];
