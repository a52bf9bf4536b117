import { z } from 'zod';
import { quantityToWire, toWire, type Amount, type Quantity } from '../../domain/money.ts';
import { toStockDate } from './criteria.ts';
import type {
  Alone,
  Answered,
  AnswerShape,
  DraftOf,
  Field,
  FieldOf,
  Fields,
  RecordOf,
  Render,
  SentShape,
} from './field-types.ts';
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

const fieldOf = <One extends Field | z.ZodType>(one: One): FieldOf<One> =>
  // The compiler does not narrow a type by a value.
  (one instanceof z.ZodType ? { answer: one } : one) as FieldOf<One>;

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

/** An object within the record, which is only answered. */
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
