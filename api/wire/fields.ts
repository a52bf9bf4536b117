import { z } from 'zod';
import { toStockDate } from './criteria.ts';
import { toCamelCase } from './read-json.ts';
import {
  flag as sentFlag,
  idParam,
  integer as sentInteger,
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
  /** The stored value, worked out from the whole record. */
  from?: (record: never) => unknown;
  /** Where the value is null or undefined, the key is left out. */
  isPerhaps?: true;
}

type Fields = Readonly<Record<string, Field>>;

type CamelCase<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

type PropertyOf<One extends Field, Key extends string> = One extends { property: infer Name extends string }
  ? Name
  : CamelCase<Key>;

type SentKeys<All extends Fields> = {
  [Key in keyof All & string]: All[Key] extends { sent: z.ZodType } ? Key : never;
}[keyof All & string];

type Kept<One extends Field> = One extends { sent: z.ZodType<infer Value> } ? Value : never;

/** What was sent of a record, by its properties; an absent one is undefined. */
type DraftOf<All extends Fields> = {
  [Key in SentKeys<All> as PropertyOf<All[Key], Key>]: Kept<All[Key]> | undefined;
};

type SentShape<All extends Fields> = {
  [Key in keyof All]: z.ZodOptional<All[Key] extends { sent: infer Schema extends z.ZodType } ? Schema : z.ZodUnknown>;
};

type AnswerShape<All extends Fields> = {
  -readonly [Key in keyof All as All[Key] extends { answer: z.ZodType } ? Key : never]: All[Key] extends {
    answer: infer Schema extends z.ZodType;
  }
    ? Schema
    : never;
};

type Row = Readonly<Record<string, unknown>>;

interface SentAndAnswered {
  sent: z.ZodType;
  answer: z.ZodType;
}

export const text = (most = 255) => ({ sent: sentText(most), answer: z.string() });
export const integer = () => ({ sent: sentInteger, answer: z.int() });
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
export const moment = () => ({ answer: z.string(), show: (stored: string | Date) => toStockDate(stored) });
export const momentOrNull = () => ({ ...moment(), answer: z.string().nullable() });
/** Sent and never answered. */
export const onlySent = <Sent extends z.ZodType>(sent: Sent) => ({ sent });

/** Null is a value of it. */
export const orNull = <One extends SentAndAnswered>({ sent, answer, ...field }: One) => ({
  ...field,
  sent: sent.nullable() as z.ZodType<z.output<One['sent']> | null, z.input<One['sent']> | null>,
  answer: answer.nullable() as z.ZodNullable<One['answer']>,
});

/** It has another name in the record. */
export const named = <const Property extends string, One extends Field>(property: Property, field: One) => ({
  ...field,
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

/** Answered by what the whole record says. */
export const derived = <Record, One extends { answer: z.ZodType }>(from: (record: Record) => unknown, field: One) => ({
  ...field,
  from,
});

/** Left out of the answer where there is no value. */
export const perhaps = <One extends { answer: z.ZodType }>({ answer, ...field }: One) => ({
  ...field,
  answer: answer.optional() as z.ZodOptional<One['answer']>,
  isPerhaps: true as const,
});

/** A list of objects, each of which has all keys. */
export const listOf = <const All extends Fields>(rows: All, most: number) => {
  const { item, draft, answer, render } = fieldsOf(rows);
  return {
    sent: z
      .array(item)
      .max(most)
      .transform((list) => list.map((one) => draft(one))) as unknown as z.ZodType<
      { [Property in keyof DraftOf<All>]: Exclude<DraftOf<All>[Property], undefined> }[]
    >,
    answer: z.array(answer),
    show: (list: readonly Row[]) => list.map((one) => render(one)),
  };
};

/**
 * What a request sends of a record, what is kept of it, and what is answered, from one table of its fields.
 *
 * An absent key leaves the value as it is. Keys that the server sets are accepted and ignored.
 *
 * @param id the schema's name in the API document
 */
export function fieldsOf<const All extends Fields>(fields: All, id?: string) {
  const all = Object.entries<Field>(fields).map(([key, field]) => ({ property: toCamelCase(key), ...field, key }));
  const answered = all.filter(({ answer }) => answer !== undefined);
  const kept = all.filter(({ sent }) => sent !== undefined);
  const meta = id === undefined ? {} : { id };
  // The compiler cannot derive the shapes through `fromEntries`.
  const sentShape = Object.fromEntries(
    all.map(({ key, checked = z.unknown(), sent = checked }) => [key, sent.optional()]),
  ) as unknown as SentShape<All>;
  const answerShape = Object.fromEntries(answered.map(({ key, answer }) => [key, answer])) as AnswerShape<All>;
  return {
    sent: payload(sentShape).meta(meta),
    /** One of a list: every key is required. */
    item: payload(Object.fromEntries(all.flatMap(({ key, sent }) => (sent ? [[key, sent]] : [])))),
    draft: (sent: object) =>
      Object.fromEntries(kept.map(({ key, property }) => [property, (sent as Row)[key]])) as DraftOf<All>,
    answer: z.object(answerShape).meta(meta),
    /** Of a record by its properties, or of a row by its columns. */
    render: (record: object) => {
      const shown: Record<string, unknown> = {};
      for (const { key, property, show, from, isPerhaps } of answered) {
        const stored = from ? from(record as never) : (record as Row)[key in record ? key : property];
        if (isPerhaps && (stored === undefined || stored === null)) continue;
        shown[key] = show && stored !== null ? show(stored as never) : stored;
      }
      return shown as z.input<z.ZodObject<AnswerShape<All>>>;
    },
  };
}
