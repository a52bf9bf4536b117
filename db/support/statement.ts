import type { EntityManager } from '@mikro-orm/postgresql';
import { snakeCase, readOne, type Kind, type Kinds, type ValueOf, type ValuesOf } from './entity-columns.ts';
import { giveName } from './name-statements.ts';
import type { WholeRow } from './rows.ts';
import { send, sendWithTimeout } from './send.ts';

export type Parts = Readonly<Record<string, Kind<unknown> | WholeRow<unknown>>>;
type Row<Gives extends Parts> = {
  -readonly [Key in keyof Gives]: Gives[Key] extends WholeRow<infer Whole> ? Whole : ValueOf<Gives[Key]>;
};
type Input<Takes extends Kinds> = keyof Takes extends never ? [] : [values: Readonly<ValuesOf<Takes>>];

/** The definition of a statement. */
export interface Wording<Takes extends Kinds, Gives extends Parts> {
  /** Its parameters, `$orderId` in the text. */
  takes?: Takes;
  /** The columns of its rows: `orderId` is the column `order_id`. */
  gives?: Gives;
  /** Constant: anything that varies is a parameter. */
  text: string;
  /**
   * Something short that many requests wait for, outside any transaction: a server that is silent for so long stands
   * still, and the connection is given up.
   */
  answerWithinMs?: number;
}

/** A statement, which `test/house/statements.test.ts` checks against the migrated database. */
export interface Statement<Takes extends Kinds, Gives extends Parts> {
  all(em: EntityManager, ...values: Input<Takes>): Promise<Row<Gives>[]>;
  /** Its only row; undefined where there is none. */
  first(em: EntityManager, ...values: Input<Takes>): Promise<Row<Gives> | undefined>;
  /** How many rows it wrote. */
  run(em: EntityManager, ...values: Input<Takes>): Promise<number>;
}

/** The type of a statement's rows: `RowFrom<typeof claim>`. */
export type RowFrom<Said> = Said extends Statement<infer _Takes, infer Gives> ? Row<Gives> : never;

/** The facts of a defined statement. */
export interface Reply {
  /** With `$1`, `$2` …. */
  text: string;
  takes: readonly { name: string; kind: Kind<unknown> }[];
  gives: readonly Part[];
}

interface Part {
  key: string;
  /** By their names in the result. */
  columns: readonly { as: string; key: string; kind: Kind<unknown> }[];
  whole: { primary: string; isOptional: boolean } | undefined;
}

/** All statements, by the text sent: only these are prepared, once per connection. */
export const statements = new Map<string, Reply>();

/**
 * SQL that is assembled while the program runs, such as one statement for each of many tables: it states its kinds. Any
 * other is `sql`, whose kinds are derived. It joins the caller's transaction where there is one.
 */
export function statement<const Takes extends Kinds = Kinds, const Gives extends Parts = Parts>({
  takes = {} as Takes,
  gives = {} as Gives,
  text,
  answerWithinMs,
}: Wording<Takes, Gives>): Statement<Takes, Gives> {
  const { numbered, order } = numberParameters(text);
  const unused = Object.keys(takes).filter((name) => !order.includes(name));
  if (unused.length > 0) throw new Error(`It takes ${unused.join(', ')} and does not use it: ${text}`);
  for (const name of order) if (!takes[name]) throw new Error(`It uses $${name} and does not take it: ${text}`);
  return register({ text: numbered, order, kinds: () => ({ takes, gives }), answerWithinMs });
}

/** What is known of a statement when it is defined. */
interface Definition {
  /** With `$1`, `$2` …. */
  text: string;
  /** The names of its parameters, the first being `$1`. */
  order: readonly string[];
  kinds: () => { takes: Kinds; gives: Parts };
  answerWithinMs: number | undefined;
}

/** A statement of this text; its kinds are read when they are needed first. A repeat of the text replaces the former. */
export function register<Takes extends Kinds, Gives extends Parts>(defined: Definition): Statement<Takes, Gives> {
  const { text, answerWithinMs } = defined;
  const sentence = replyOf(defined);
  statements.set(text, sentence);
  giveName(text);
  const answer = (em: EntityManager, input: object | undefined) =>
    answerWithinMs === undefined
      ? send<Wire>(em, text, valuesOf(sentence, input))
      : sendWithTimeout<Wire>(em, { text, values: valuesOf(sentence, input), answerWithinMs });
  return {
    all: async (em, ...[values]) => (await answer(em, values)).rows.map((wire) => readRow<Row<Gives>>(sentence, wire)),
    first: async (em, ...[values]) => {
      const [wire] = (await answer(em, values)).rows;
      return wire && readRow<Row<Gives>>(sentence, wire);
    },
    run: async (em, ...[values]) => Number((await answer(em, values)).numAffectedRows ?? 0),
  };
}

/** Kinds come from entities, which may import what defines the statement: at that moment they may not exist yet. */
function replyOf({ text, order, kinds }: Definition): Reply {
  let known: Pick<Reply, 'takes' | 'gives'> | undefined;
  const read = () => {
    const { takes, gives } = kinds();
    return {
      takes: order.map((name) => ({ name, kind: kindNamed(takes, name, text) })),
      gives: Object.entries(gives).map(([key, part]) => partOf(key, part)),
    };
  };
  return {
    text,
    get takes() {
      return (known ??= read()).takes;
    },
    get gives() {
      return (known ??= read()).gives;
    },
  };
}

function kindNamed(kinds: Kinds, name: string, text: string): Kind<unknown> {
  const kind = kinds[name];
  if (!kind) throw new Error(`The kind of $${name} is not known: ${text}`);
  return kind;
}

type Wire = Record<string, unknown>;

/** The text with `$1`, `$2` … in place of names, and the names in that order. */
export function numberParameters(text: string): { numbered: string; order: readonly string[] } {
  const order: string[] = [];
  const numbered = text.replaceAll(/\$([a-z]\w*)/gi, (_, name: string) => {
    if (!order.includes(name)) order.push(name);
    return `$${order.indexOf(name) + 1}`;
  });
  return { numbered, order };
}

function partOf(key: string, part: Kind<unknown> | WholeRow<unknown>): Part {
  if (!('parts' in part)) return { key, columns: [{ as: snakeCase(key), key, kind: part }], whole: undefined };
  const { parts, isOptional } = part;
  return { key, columns: parts, whole: { primary: parts.find((one) => one.isPrimary)?.as ?? '', isOptional } };
}

const valuesOf = ({ takes }: Reply, input: object | undefined) =>
  takes.map(({ name, kind }) => {
    const value: unknown = input && Reflect.get(input, name);
    return value === null || value === undefined || !kind.write ? value : kind.write(value);
  });

function readRow<Read>({ gives }: Reply, wire: Wire): Read {
  const row: Wire = {};
  for (const { key, columns, whole } of gives) {
    if (!whole) readColumns(row, columns, wire);
    else if (whole.isOptional && wire[whole.primary] === null) row[key] = null;
    else row[key] = readColumns({}, columns, wire);
  }
  return row as Read;
}

function readColumns(row: Wire, columns: Part['columns'], wire: Wire): Wire {
  for (const { as, key, kind } of columns) row[key] = readOne(as, kind, wire[as]);
  return row;
}
