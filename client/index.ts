/** The client of the point-of-sale backend. It runs in Node and in browsers, and needs no package. */
export { createClient, isDone, type Client, type ClientOptions, type PlainRequest } from './client.ts';
export { placeOf, readConfiguration, taxPercentOf, type Configuration } from './configuration.ts';
export { criteria, type Condition, type Criteria, type Filter } from './criteria.ts';
export {
  follow,
  isFromShop,
  type EventName,
  type Following,
  type News,
  type PosEvent,
  type WebhookHeaders,
} from './events.ts';
export type { OutboxListeners } from './ends.ts';
export {
  memoryStore,
  type DamagedEntry,
  type EndedJob,
  type Job,
  type JobEnd,
  type JobStore,
  type NewJob,
  type Step,
} from './jobs.ts';
export { createOutbox, type Outbox, type OutboxOptions, type Pass } from './outbox.ts';
export {
  createRegister,
  type DuePayment,
  type Layaway,
  type LayawayPayment,
  type Made,
  type Register,
  type RegisterOptions,
  type TakeBack,
  type TakenBack,
} from './register.ts';
export type { SessionReport } from './session-report.ts';
export {
  sentenceFor,
  valueOf,
  type AnswerNotKept,
  type Done,
  type Heard,
  type Refused,
  type Result,
  type SignedOut,
  type Unanswered,
  type Uncertain,
} from './results.ts';
export {
  cash,
  type Address,
  type AppliedCredit,
  type Buyer,
  type Payment,
  type Place,
  type Sale,
  type Sold,
  type SplitPayment,
} from './sale.ts';
export {
  fromJsonText,
  jsonText,
  type AnswerOf,
  type BodyOf,
  type CodeOf,
  type JsonText,
  type PathOf,
  type Sent,
  type Shape,
} from './shapes.ts';
export { totalsOf, type SaleLine, type SaleTotals, type ShopMoney } from './totals.ts';
