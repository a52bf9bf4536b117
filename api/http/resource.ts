import { z } from 'zod';
import type { Author } from '../../db/audit/record-difference.ts';
import type { Records } from '../../db/support/records.ts';
import { attributeNameNotValid } from '../../domain/refusals/platform.ts';
import { idParam } from '../wire/schemas.ts';
import { listRoute } from './route-kinds.ts';
import { route, type Acl, type Caller, type Example, type Outcome, type Route, type RouteContext } from './route.ts';
import { authorOf } from './route-context.ts';

/** A kind of record, and how it is sent and answered. */
interface Noun<Row extends object, Draft, Sent extends z.ZodType, Answer extends z.ZodType, Saved extends z.ZodType> {
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
  draft: (sent: z.output<Sent>) => Draft;
  /** The record that the body names: the platform's saves take its id there too. */
  idOf?: (sent: z.output<Sent>) => number | undefined;
  answer: Answer;
  render: (record: Row, caller?: Caller) => z.input<Answer>;
  /** What a save answers; absent: the record. */
  saved?: { answer: Saved; render(record: Row): z.input<Saved> };
}

/** A path and the words of its route. */
interface Words {
  path: Route['path'];
  name: string;
  summary: string;
  description: string;
  /** Besides the 404 of an unknown record. */
  outcomes?: readonly Outcome[];
  examples?: readonly Example[];
  isPrivate?: boolean;
}

interface ChangeWords extends Words {
  /** What follows a change, within the request's transaction where it has a key. */
  after?: (context: RouteContext) => Promise<void>;
}

/**
 * The plain routes of records that an administrator edits one at a time: each method makes one of them from its path
 * and its words. What is refused, and in which order, is the business of the records (`db/support/records.ts`).
 */
class Resource<Row extends object, Draft, Sent extends z.ZodType, Answer extends z.ZodType, Saved extends z.ZodType> {
  readonly #noun: Noun<Row, Draft, Sent, Answer, Saved>;
  readonly answer: Answer;
  readonly render: (record: Row, caller?: Caller) => z.input<Answer>;

  constructor(noun: Noun<Row, Draft, Sent, Answer, Saved>) {
    this.#noun = noun;
    this.answer = noun.answer;
    this.render = noun.render;
  }

  /** All of them, or those that the criteria ask for. */
  list(words: Words & { isWholeByDefault?: boolean }) {
    const { records, acl, answer, render } = this.#noun;
    // Rows of a list show no more than everybody with the right may see: the caller is not asked.
    return listRoute<Row, z.input<Answer>>({
      ...words,
      acl,
      outcomes: [attributeNameNotValid, ...(words.outcomes ?? [])],
      answer: answer as z.ZodType<unknown, z.input<Answer>>,
      find: records.search,
      render: (record) => render(record),
    });
  }

  /** One of them. */
  get(words: Words) {
    const { records, acl, answer, render } = this.#noun;
    return route({
      ...words,
      method: 'GET',
      acl,
      outcomes: this.#refusals(words),
      params: paramsOf(words),
      response: answer,
      handle: async ({ em, params, caller }) => render(await records.find(em, idIn(params)), caller),
    });
  }

  /** A new one; where the body names one, that one is changed. */
  create({ after, ...words }: ChangeWords) {
    const { idOf } = this.#noun;
    return route({
      ...words,
      ...this.#change('POST'),
      outcomes: idOf ? this.#refusals(words) : (words.outcomes ?? []),
      handle: async (context) => {
        const sent = this.#sentIn(context.body);
        const answer = await this.#save(context, { id: idOf?.(sent), sent });
        await after?.(context);
        return answer;
      },
    });
  }

  /** Changes the one of the path, or where the path names none, the one of the body. */
  update({ after, ...words }: ChangeWords) {
    const { idOf } = this.#noun;
    const isInPath = words.path.includes(':');
    return route({
      ...words,
      ...this.#change('PUT'),
      outcomes: this.#refusals(words),
      ...(isInPath ? { params: paramsOf(words) } : {}),
      handle: async (context) => {
        const sent = this.#sentIn(context.body);
        const answer = await this.#save(context, { id: isInPath ? idIn(context.params ?? {}) : idOf?.(sent), sent });
        await after?.(context);
        return answer;
      },
    });
  }

  /** Deletes one. */
  remove({ after, ...words }: ChangeWords) {
    const { records, acl, changesNeed = acl } = this.#noun;
    return route({
      ...words,
      method: 'DELETE',
      acl: changesNeed,
      outcomes: this.#refusals(words),
      params: paramsOf(words),
      response: z.literal(true),
      async handle(context) {
        await records.remove(context.em, idIn(context.params), authorOf(context.caller));
        await after?.(context);
        return true as const;
      },
    });
  }

  #refusals({ outcomes = [] }: Words): readonly Outcome[] {
    return [this.#noun.unknown, ...outcomes];
  }

  /** What both kinds of save have in common. */
  #change<Method extends 'POST' | 'PUT'>(method: Method) {
    const { acl, changesNeed = acl, body, sent, answer, saved } = this.#noun;
    return { method, acl: changesNeed, body: z.object({ [body]: sent }), response: (saved?.answer ?? answer) as Saved };
  }

  #sentIn(body: Readonly<Record<string, unknown>>): z.output<Sent> {
    return body[this.#noun.body] as z.output<Sent>;
  }

  async #save(
    { em, caller }: RouteContext,
    { id, sent }: { id: number | undefined; sent: z.output<Sent> },
  ): Promise<z.input<Saved>> {
    const { records, draft, saved, render } = this.#noun;
    const record = await records.save(em, { id, draft: draft(sent), by: authorOf(caller) });
    return (saved ? saved.render(record) : render(record, caller)) as z.input<Saved>;
  }
}

/** Makes the plain routes of a noun. */
export const resource = <
  Row extends object,
  Draft,
  Sent extends z.ZodType,
  Answer extends z.ZodType,
  Saved extends z.ZodType = Answer,
>(
  noun: Noun<Row, Draft, Sent, Answer, Saved>,
) => new Resource(noun);

/** The last variable of the path is the id of a record; a path of these routes has one. */
const paramsOf = ({ path }: Words) => z.object({ [path.replace(/^.*:/, '')]: idParam });

const idIn = (params: Readonly<Record<string, number>>): number => Object.values(params)[0] ?? 0;
