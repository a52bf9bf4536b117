import type { z } from 'zod';

/** One key of a record: how it is sent, where it is kept, and how it is answered. */
export interface Field {
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

export type Answered = Field & { answer: z.ZodType };

/** A schema alone: the server sets it, and it is answered as it is stored. */
export type Fields = Readonly<Record<string, Field | z.ZodType>>;

export type FieldOf<One> = One extends z.ZodType ? { answer: One } : One;

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
export type DraftOf<All extends Fields> = {
  [Key in Exclude<SentKeys<All>, SpreadKeys<All>> as PropertyOf<All[Key], Key>]: Kept<All[Key]> | undefined;
} & ForAll<
  {
    [Key in SpreadKeys<All>]: All[Key] extends { spread: (sent: never) => infer Part } ? (part: Part) => void : never;
  }[SpreadKeys<All>]
>;

export type SentShape<All extends Fields> = {
  [Key in keyof All]: z.ZodOptional<All[Key] extends { sent: infer Schema extends z.ZodType } ? Schema : z.ZodUnknown>;
};

export type AnswerShape<All extends Fields> = {
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
export type RecordOf<All extends Fields> = (
  | { readonly [Key in Plain<All> as PropertyOf<All[Key], Key>]: Stored<FieldOf<All[Key]>> }
  | { readonly [Key in Plain<All>]: Stored<FieldOf<All[Key]>> }
) &
  ForAll<Sources<All>>;

type Sources<All extends Fields> = {
  [Key in keyof All]: All[Key] extends { from: infer From } ? From : never;
}[keyof All];

type Context<Functions> = [Functions] extends [(record: never, context: infer All) => unknown] ? All : never;

/** Rendering that needs the record alone. */
export type Alone<All extends Fields> = (record: RecordOf<All>) => z.input<z.ZodObject<AnswerShape<All>>>;

export type Render<All extends Fields> =
  unknown extends Context<Sources<All>>
    ? Alone<All>
    : (record: RecordOf<All>, context: Context<Sources<All>>) => ReturnType<Alone<All>>;
