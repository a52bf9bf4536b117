import { z } from 'zod';
import { quantityToWire, toWire, type Amount, type Quantity } from '../../domain/money.ts';
import { toStockDate } from './criteria.ts';
import { toCamelCase } from './read-json.ts';
import {
  flag as sentFlag,
  growing,
  idParam,
  integer as sentInteger,
  money as sentMoney,
  payload,
  percent as sentPercent,
  recordId as sentId,
  text as sentText,
} from './schemas.ts';

/** One key of a record: how it is sent, where it is kept, and how it is answered. */
interface Field {
  /** Absent: the server sets it. What is sent is accepted and ignored, so that an answer can be sent back. */
  sent?: z.ZodType;
  /** What the server sets and yet checks where it is sent. */
  checked?: z.ZodType;
  /** Absent: it is sent and never answered. */
  answer?: z.ZodType;
  /** The answer of a stored value that is not null; absent: as it is stored. */
  show?: (stored: never) => unknown;
  /** The property of the record; absent: the key in camelCase. */
  property?: string;
  /** The stored value, worked out from the whole record and from what else is given. */
  from?: (record: never, context: never) => unknown;
  /** Where the value is null or undefined, the key is left out. */
  isPerhaps?: true;
  /** Its keys are fields of the record itself: what is kept of what was sent. */
  spread?: (sent: never) => object;
}

/** A schema alone: the server sets it, and it is answered as it is stored. */
type Answered = Field & { answer: z.ZodType };
type Fields = Readonly<Record<string, Field | z.ZodType>>;

type FieldOf<One> = One extends z.ZodType ? { answer: One } : One;

const fieldOf = <One extends Field | z.ZodType>(one: One): FieldOf<One> =>
  // The compiler does not narrow a type by a value.
  (one instanceof z.ZodType ? { answer: one } : one) as FieldOf<One>;

type CamelCase<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

type PropertyOf<One, Key extends string> = One extends { property: infer Name extends string } ? Name : CamelCase<Key>;

type SentKeys<All extends Fields> = {
  [Key in keyof All & string]: All[Key] extends { sent: z.ZodType } ? Key : never;
}[keyof All & string];

type SpreadKeys<All extends Fields> = {
  [Key in keyof All & string]: All[Key] extends { spread: unknown } ? Key : never;
}[keyof All & string];

type Kept<One> = One extends { sent: z.ZodType<infer Value> } ? Value : never;

/** What is an argument of every function of a union. */
type ForAll<Functions> = [Functions] extends [(one: infer All, context: never) => unknown] ? All : never;

/** What was sent of a record, by its properties; an absent one is undefined. */
type DraftOf<All extends Fields> = {
  [Key in Exclude<SentKeys<All>, SpreadKeys<All>> as PropertyOf<All[Key], Key>]: Kept<All[Key]> | undefined;
} & ForAll<
  {
    [Key in SpreadKeys<All>]: All[Key] extends { spread: (sent: never) => infer Part } ? (part: Part) => void : never;
  }[SpreadKeys<All>]
>;

type SentShape<All extends Fields> = {
  [Key in keyof All]: z.ZodOptional<All[Key] extends { sent: infer Schema extends z.ZodType } ? Schema : z.ZodUnknown>;
};

type AnswerShape<All extends Fields> = {
  -readonly [Key in keyof All as FieldOf<All[Key]> extends { answer: z.ZodType } ? Key : never]: FieldOf<
    All[Key]
  > extends { answer: infer Schema extends z.ZodType }
    ? Schema
    : never;
};

type Null = null | undefined;

type AnswerOf<One> = One extends { answer: z.ZodType<unknown, infer Value> } ? Value : never;
/** Lists of a record are only read. */
type Read<Value> = Value extends readonly (infer Item)[]
  ? readonly Read<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Read<Value[Key]> }
    : Value;

/** What a record has of a field, so that it can be answered. */
type Stored<One> =
  | (One extends { show: (stored: infer Value) => unknown } ? Value : Read<Exclude<AnswerOf<One>, Null>>)
  | (One extends { isPerhaps: true } ? Null : null extends AnswerOf<One> ? Null : never);

type Plain<All extends Fields> = {
  [Key in keyof AnswerShape<All> & string]: All[Key] extends { from: unknown } ? never : Key;
}[keyof AnswerShape<All> & string];

/** A record by its properties, or a row by its columns. */
type RecordOf<All extends Fields> = (
  | { readonly [Key in Plain<All> as PropertyOf<All[Key], Key>]: Stored<FieldOf<All[Key]>> }
  | { readonly [Key in Plain<All>]: Stored<FieldOf<All[Key]>> }
) &
  ForAll<Sources<All>>;

type Sources<All extends Fields> = {
  [Key in keyof All]: All[Key] extends { from: infer From } ? From : never;
}[keyof All];

type Context<Functions> = [Functions] extends [(record: never, context: infer All) => unknown] ? All : never;

/** Rendering that needs the record alone. */
type Alone<All extends Fields> = (record: RecordOf<All>) => z.input<z.ZodObject<AnswerShape<All>>>;

type Render<All extends Fields> =
  unknown extends Context<Sources<All>>
    ? Alone<All>
    : (record: RecordOf<All>, context: Context<Sources<All>>) => ReturnType<Alone<All>>;

type Row = Readonly<Record<string, unknown>>;

interface SentAndAnswered {
  sent: z.ZodType;
  answer: z.ZodType;
}

export const text = (most = 255) => ({ sent: sentText(most), answer: z.string() });
export const integer = () => ({ sent: sentInteger, answer: z.int() });
export const money = () => ({ ...amount(), sent: sentMoney });
export const flag = () => ({ sent: sentFlag, answer: z.boolean() });
export const percent = () => ({ sent: sentPercent, answer: z.number(), show: (stored: string) => Number(stored) });
export const json = <Schema extends z.ZodType>(schema: Schema) => ({ sent: schema, answer: schema });
/** One of a set of words. */
export const oneOf = <const Word extends string>(words: readonly Word[]) => json(z.enum(words));
/** The id of another record. */
export const reference = () => ({ sent: sentId, answer: z.int() });
export const references = (most: number, id: z.ZodType<number> = sentId) => ({
  ...{ sent: z.array(id).max(most), answer: z.array(z.int()) },
});
/** The record's own id, which a save may name. */
export const ownId = <const Property extends string>(property: Property) => ({
  ...{ sent: idParam, answer: z.int(), property },
});
/** Set by the server alone. */
export const setByServer = <Answer extends z.ZodType>(answer: Answer) => ({ answer });
/** The same, of a field whose sent value is checked and then ignored. */
export const unkept = <One extends SentAndAnswered>({ sent, ...field }: One) => ({ ...field, checked: sent });
/** A number that is stored as the text of a decimal. */
export const decimal = () => ({ answer: z.number(), show: (stored: string) => Number(stored) });
/** A whole number that is stored as its text. */
export const count = () => ({ answer: z.int(), show: (stored: string | number) => Number(stored) });
/** A quantity that is only answered. */
export const quantity = () => ({ answer: z.number(), show: (stored: Quantity) => quantityToWire(stored) });
/** Money that is only answered. */
export const amount = () => ({ answer: z.number(), show: (stored: Amount) => toWire(stored) });
export const moment = () => ({ answer: z.string(), show: (stored: string | Date) => toStockDate(stored) });
export const momentOrNull = () => orNull(moment());
/** Sent and never answered. */
export const onlySent = <Sent extends z.ZodType>(sent: Sent) => ({ sent });

type OrNull<One extends { answer: z.ZodType }> = Omit<One, 'sent' | 'answer'> & {
  answer: z.ZodNullable<One['answer']>;
} & (One extends { sent: z.ZodType<infer Value, infer Sent> }
    ? { sent: z.ZodType<Value | null, Sent | null> }
    : object);

/** Null is a value of it. */
export const orNull = <One extends Answered>({ sent, answer, ...field }: One) =>
  ({ ...field, ...(sent ? { sent: sent.nullable() } : {}), answer: answer.nullable() }) as OrNull<One>;

/** It has another name in the record. */
export const named = <const Property extends string, One extends Field | z.ZodType>(property: Property, one: One) => ({
  ...fieldOf(one),
  property,
});

/** What was sent is changed before it is kept. */
export const keptAs = <One extends { sent: z.ZodType }, Value>(
  { sent, ...field }: One,
  keep: (sent: z.output<One['sent']>) => Value,
) => ({
  ...field,
  sent: sent.transform((value) => keep(value as z.output<One['sent']>)) as unknown as z.ZodType<
    Value,
    z.input<One['sent']>
  >,
});

/** Answered by what the whole record says, and by what else is given to `render`. */
export function derived<Record, One extends Answered | z.ZodType>(
  from: (record: Record) => unknown,
  one: One,
): FieldOf<One> & { from: (record: Record) => unknown };
export function derived<Record, Context, One extends Answered | z.ZodType>(
  from: (record: Record, context: Context) => unknown,
  one: One,
): FieldOf<One> & { from: (record: Record, context: Context) => unknown };
export function derived(from: (record: never, context: never) => unknown, one: Answered | z.ZodType) {
  return { ...fieldOf(one), from };
}

/** The same in every answer. */
export const always = <Schema extends z.ZodType>(value: z.input<Schema>, answer: Schema) => ({
  ...{ answer, from: () => value },
});

/** Left out of the answer where there is no value. */
export function perhaps<Schema extends z.ZodType>(one: Schema): { answer: z.ZodOptional<Schema>; isPerhaps: true };
export function perhaps<One extends Answered>(
  one: One,
): Omit<One, 'answer'> & { answer: z.ZodOptional<One['answer']>; isPerhaps: true };
export function perhaps(one: Answered | z.ZodType) {
  const { answer, ...field }: Answered = fieldOf(one);
  return { ...field, answer: answer.optional(), isPerhaps: true };
}

/** What the API document says of the answer. */
export const described = <One extends Answered>(description: string, field: One) => ({
  ...field,
  answer: field.answer.meta({ description }) as One['answer'],
});

/** Null where there is none, and then left out of the answer. */
export const orAbsent = <One extends SentAndAnswered>({ sent, answer, ...field }: One) => ({
  ...field,
  sent: sent.nullable() as z.ZodType<z.output<One['sent']> | null, z.input<One['sent']> | null>,
  answer: answer.optional() as z.ZodOptional<One['answer']>,
  isPerhaps: true as const,
});

/** An object whose keys are fields of the record itself, such as `extension_attributes`. */
export const within = <const All extends Fields>(part: All, body?: Body) => {
  const { sent, draft, answer, render } = fieldsOf(part, {}, body);
  return { sent, spread: draft, answer, from: render };
};

/** An object of its own within the record, which is only answered. */
export const nested = <const All extends Fields>(part: All) => {
  const { answer, render } = fieldsOf(part);
  return { answer, show: render as Alone<All> };
};

/** A list of such objects. */
export const nestedList = <const All extends Fields>(part: All) => {
  const { answer, show } = nested(part);
  return { answer: z.array(answer), show: (list: readonly RecordOf<All>[]) => list.map((one) => show(one)) };
};

/** A list of objects, each of which has all keys. */
export const listOf = <const All extends Fields>(rows: All, most: number) => {
  const { item, draft } = fieldsOf(rows);
  return {
    ...nestedList(rows),
    sent: z
      .array(item)
      .max(most)
      .transform((list) => list.map((one) => draft(one))) as unknown as z.ZodType<
      { [Property in keyof DraftOf<All>]: Exclude<DraftOf<All>[Property], undefined> }[]
    >,
  };
};

type Body = typeof payload | typeof growing | typeof z.object;

/** The name of both schemas in the API document, or of each. */
type Ids = string | { sent?: string; answer?: string };

/**
 * What a request sends of a record, what is kept of it, and what is answered, from one table of its fields.
 *
 * An absent key leaves the value as it is. Keys that the server sets are accepted and ignored.
 *
 * @param body the object that is sent: `payload` refuses unknown keys, `growing` and `z.object` ignore them
 */
export function fieldsOf<const All extends Fields>(fields: All, ids: Ids = {}, body: Body = payload) {
  const all = Object.entries(fields).map(([key, field]): Column => ({
    property: toCamelCase(key),
    ...fieldOf(field),
    key,
  }));
  const kept = all.filter(({ sent }) => sent !== undefined);
  const metaOf = (id: string | undefined) => (id === undefined ? {} : { id });
  const { sent: sentId, answer: answerId } = typeof ids === 'string' ? { sent: ids, answer: ids } : ids;
  // The compiler cannot derive the shapes through `fromEntries`.
  const sentShape = Object.fromEntries(
    all.flatMap(({ key, checked = body === payload ? z.unknown() : undefined, sent = checked }) =>
      sent ? [[key, sent.optional()]] : [],
    ),
  ) as unknown as SentShape<All>;
  const answerShape = Object.fromEntries(
    all.flatMap(({ key, answer }) => (answer ? [[key, answer]] : [])),
  ) as unknown as AnswerShape<All>;
  return {
    sent: (body as typeof payload)(sentShape).meta(metaOf(sentId)),
    /** One of a list: every key is required. */
    item: payload(Object.fromEntries(kept.flatMap(({ key, sent }) => (sent ? [[key, sent]] : [])))),
    draft: drafterOf(kept) as (sent: object) => DraftOf<All>,
    answer: z.object(answerShape).meta(metaOf(answerId)),
    render: rendererOf(all) as unknown as Render<All>,
  };
}

type Column = Field & { key: string; property: string };

const drafterOf = (kept: readonly Column[]) => (sent: object) => {
  const draft: Record<string, unknown> = {};
  for (const { key, property, spread } of kept) {
    const value = (sent as Row)[key];
    if (spread) Object.assign(draft, spread((value ?? {}) as never));
    else draft[property] = value;
  }
  return draft;
};

function rendererOf(all: readonly Column[]) {
  const answered = all.flatMap(({ answer, ...field }) =>
    answer ? [{ ...field, isNullable: answer instanceof z.ZodNullable, isSame: field.key === field.property }] : [],
  );
  return (record: object, context?: unknown) => {
    const shown: Record<string, unknown> = {};
    for (const { key, property, show, from, isPerhaps, isNullable, isSame } of answered) {
      const stored = from
        ? from(record as never, context as never)
        : (record as Row)[isSame || key in record ? key : property];
      if (stored === undefined || stored === null) {
        if (isPerhaps !== true) shown[key] = isNullable ? null : stored;
      } else shown[key] = show ? show(stored as never) : stored;
    }
    return shown;
  };
}
