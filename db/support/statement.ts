import type { EntityManager } from '@mikro-orm/postgresql';
import { snakeCase, readOne, type Kind, type Kinds, type ValueOf, type ValuesOf } from './entity-columns.ts';
import { giveName } from './name-statements.ts';
import type { WholeRow } from './rows.ts';
import { send, sendWithTimeout } from './send.ts';

type Parts = Readonly<Record<string, Kind<unknown> | WholeRow<unknown>>>;
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

/** SQL with its parameters and its result. It joins the caller's transaction where there is one. */
export function statement<const Takes extends Kinds = Kinds, const Gives extends Parts = Parts>(
  wording: Wording<Takes, Gives>,
): Statement<Takes, Gives> {
  const sentence = say(wording);
  statements.set(sentence.text, sentence);
  giveName(sentence.text);
  const { answerWithinMs } = wording;
  const answer = (em: EntityManager, input: object | undefined) =>
    answerWithinMs === undefined
      ? send<Wire>(em, sentence.text, valuesOf(sentence, input))
      : sendWithTimeout<Wire>(em, { text: sentence.text, values: valuesOf(sentence, input), answerWithinMs });
  return {
    all: async (em, ...[values]) => (await answer(em, values)).rows.map((wire) => readRow<Row<Gives>>(sentence, wire)),
    first: async (em, ...[values]) => {
      const [wire] = (await answer(em, values)).rows;
      return wire && readRow<Row<Gives>>(sentence, wire);
    },
    run: async (em, ...[values]) => Number((await answer(em, values)).numAffectedRows ?? 0),
  };
}

type Wire = Record<string, unknown>;

function say({ text, takes = {}, gives = {} }: { text: string; takes?: Kinds; gives?: Parts }): Reply {
  const order: string[] = [];
  const numbered = text.replaceAll(/\$([a-z]\w*)/gi, (_, name: string) => {
    if (!order.includes(name)) order.push(name);
    return `$${order.indexOf(name) + 1}`;
  });
  const unused = Object.keys(takes).filter((name) => !order.includes(name));
  if (unused.length > 0) throw new Error(`It takes ${unused.join(', ')} and does not use it: ${text}`);
  const taken = order.map((name) => {
    const kind = takes[name];
    if (!kind) throw new Error(`It uses $${name} and does not take it: ${text}`);
    return { name, kind };
  });
  return { text: numbered, takes: taken, gives: Object.entries(gives).map(([key, part]) => partOf(key, part)) };
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
