import { z } from 'zod';
import type { Author } from '../../db/audit/record-difference.ts';
import type { Records } from '../../db/support/records.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownField } from '../wire/search-criteria.ts';
import { listRoute } from './list-route.ts';
import { authorOf } from './register/author-of.ts';
import { route, type Acl, type Caller, type Example, type Outcome, type Route, type RouteContext } from './route.ts';

/** A kind of record, and how it is sent and answered. */
interface Resource<
  Row extends object,
  Draft,
  Sent extends z.ZodType,
  Answer extends z.ZodType,
  Saved extends z.ZodType,
> {
  /** Its rules and its database work. */
  records: Records<Row, Draft, number, Author>;
  acl: Acl;
  /** What a change needs; absent: the same right. */
  changesNeed?: Acl;
  /** The 404 of an unknown record. */
  unknown: Outcome;
  /** The key of the body, and what stands there. */
  body: string;
  sent: Sent;
  /** What was sent, as properties of the entity. */
  draft(sent: z.output<Sent>): Draft;
  /** The record that the body names: the platform's saves take its id there too. */
  idOf?(sent: z.output<Sent>): number | undefined;
  answer: Answer;
  render: (record: Row, caller?: Caller) => z.input<Answer>;
  /** What a save answers; absent: the record. */
  saved?: { answer: Saved; render(record: Row): z.input<Saved> };
}

/** A path and the words of its route. */
interface Words<Refusals = readonly Outcome[]> {
  path: Route['path'];
  name: string;
  summary: string;
  description: string;
  /** Besides the 404 of an unknown record. */
  outcomes?: Refusals;
  examples?: readonly Example[];
  isPrivate?: boolean;
}

interface ChangeWords<Row> extends Words {
  /** What follows a change that is committed. */
  after?: (context: RouteContext, record: Row) => Promise<void>;
}

/**
 * The plain routes of records that an administrator edits one at a time: each function makes one of them from its path
 * and its words. What is refused, and in which order, is the business of the records (`db/support/records.ts`).
 */
export function resource<
  Row extends object,
  Draft,
  Sent extends z.ZodType,
  Answer extends z.ZodType,
  Saved extends z.ZodType = Answer,
>(of: Resource<Row, Draft, Sent, Answer, Saved>) {
  const { records, acl, changesNeed = acl } = of;
  const body = z.object({ [of.body]: of.sent });
  const response = (of.saved?.answer ?? of.answer) as Saved;
  const sentIn = (given: Readonly<Record<string, unknown>>) => given[of.body] as z.output<Sent>;
  const refused = ({ outcomes = [] }: Words) => [of.unknown, ...outcomes];

  async function save(context: RouteContext, { id, sent }: { id: number | undefined; sent: z.output<Sent> }) {
    const { em, caller } = context;
    const record = await records.save(em, { id, draft: of.draft(sent), by: authorOf(caller) });
    const answer = of.saved ? of.saved.render(record) : of.render(record, caller);
    return { record, answer: answer as z.input<Saved> };
  }

  return {
    render: of.render,

    /** All of them, or those that the criteria ask for. */
    list: (words: Words & { isWholeByDefault?: boolean }) =>
      listRoute<Row, z.input<Answer>>({
        ...words,
        acl,
        outcomes: [unknownField, ...(words.outcomes ?? [])],
        answer: of.answer as z.ZodType<unknown, z.input<Answer>>,
        find: records.search,
        render: (record) => of.render(record),
      }),

    /** One of them. */
    get: (words: Words) =>
      route({
        ...words,
        method: 'GET',
        acl,
        outcomes: refused(words),
        params: paramsOf(words),
        response: of.answer,
        handle: async ({ em, params, caller }) => of.render(await records.find(em, idIn(params)), caller),
      }),

    /** A new one; where the body names one, that one is changed. */
    create: ({ after, ...words }: ChangeWords<Row>) =>
      route({
        ...words,
        method: 'POST',
        acl: changesNeed,
        outcomes: of.idOf ? refused(words) : (words.outcomes ?? []),
        body,
        response,
        async handle(context) {
          const sent = sentIn(context.body);
          const { record, answer } = await save(context, { id: of.idOf?.(sent), sent });
          await after?.(context, record);
          return answer;
        },
      }),

    /** Changes the one of the path, or where the path names none, the one of the body. */
    update: ({ after, ...words }: ChangeWords<Row>) => {
      const isInPath = words.path.includes(':');
      return route({
        ...words,
        method: 'PUT',
        acl: changesNeed,
        outcomes: refused(words),
        ...(isInPath ? { params: paramsOf(words) } : {}),
        body,
        response,
        async handle(context) {
          const sent = sentIn(context.body);
          const id = isInPath ? idIn(context.params ?? {}) : of.idOf?.(sent);
          const { record, answer } = await save(context, { id, sent });
          await after?.(context, record);
          return answer;
        },
      });
    },

    /** Deletes one. */
    remove: ({ after, ...words }: ChangeWords<undefined>) =>
      route({
        ...words,
        method: 'DELETE',
        acl: changesNeed,
        outcomes: refused(words),
        params: paramsOf(words),
        response: z.literal(true),
        async handle(context) {
          await records.remove(context.em, idIn(context.params), authorOf(context.caller));
          await after?.(context, undefined);
          return true as const;
        },
      }),
  };
}

/** The variable of the path is the id of a record. */
const paramsOf = ({ path }: Words) => z.object({ [path.replace(/^.*:/, '')]: idParam });

const idIn = (params: Readonly<Record<string, number>>): number => Object.values(params)[0] ?? 0;
