import type { components, paths } from './generated.ts';

/** The shapes of the API document by name: `Shape<'Return'>`. */
export type Shape<Name extends keyof components['schemas']> = Answer<components['schemas'][Name]>;

/** The same as they are sent: `Sent<'Receipt'>` is what the document calls `ReceiptInput`. */
export type Sent<Name extends keyof components['schemas']> = `${Name}Input` extends infer Input extends
  keyof components['schemas']
  ? Shape<Input>
  : Shape<Name>;

/** `gateway_uncertain` as the document names its parameters: `GatewayUncertain`. */
type Pascal<Code extends string> = Code extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Code>;

/** What a refusal with this code carries. */
export type ParametersOf<Code extends string> =
  Pascal<Code> extends infer Name extends keyof components['schemas'] ? Shape<Name> : { outcome: Code };

declare const inside: unique symbol;

/**
 * A text with JSON inside, as several fields of the interface have it. `jsonText` writes one, `fromJsonText` reads it.
 */
export type JsonText<Value> = string & { readonly [inside]?: Value };

export const jsonText = <Value>(value: Value): JsonText<Value> => JSON.stringify(value);

export const fromJsonText = <Value>(text: JsonText<Value>): Value => JSON.parse(text) as Value;

/** The generator writes a text with JSON inside as a shape with one key; here it becomes the text that it is. */
export type Answer<Given> = Given extends { jsonText: infer Value }
  ? JsonText<Answer<Value>>
  : Given extends readonly (infer Item)[]
    ? Answer<Item>[]
    : Given extends object
      ? { [Key in keyof Given]: Answer<Given[Key]> }
      : Given;

export type Verb = 'get' | 'post' | 'put' | 'delete';

/** The paths that have this verb, as the document writes them: `/V1/pos/rma/{rmaId}/settle`. */
export type PathOf<Of extends Verb> = {
  [Path in keyof paths]: Of extends keyof paths[Path] ? Path : never;
}[keyof paths];

type Operation<Of extends Verb, Path extends PathOf<Of>> = Of extends keyof paths[Path] ? paths[Path][Of] : never;

/** What the route answers where it is done. */
export type AnswerOf<Of extends Verb, Path extends PathOf<Of>> =
  Operation<Of, Path> extends { responses: { 200: { content: { 'application/json': infer Given } } } }
    ? Answer<Given>
    : unknown;

type Responses<Of extends Verb, Path extends PathOf<Of>> =
  Operation<Of, Path> extends { responses: infer All } ? Omit<All, 200> : never;

/** The codes of the route's refusals. */
export type CodeOf<Of extends Verb, Path extends PathOf<Of>> = {
  [Status in keyof Responses<Of, Path>]: Responses<Of, Path>[Status] extends {
    content: { 'application/json': { outcome: infer Code extends string } };
  }
    ? Code
    : never;
}[keyof Responses<Of, Path>];

export type BodyOf<Of extends Verb, Path extends PathOf<Of>> =
  Operation<Of, Path> extends { requestBody: { content: { 'application/json': infer Given } } }
    ? Answer<Given>
    : undefined;

type Variables<Of extends Verb, Path extends PathOf<Of>> =
  Operation<Of, Path> extends { parameters: { path: infer Names } } ? Names : undefined;

type Given<Name extends string, Value> = Value extends undefined
  ? { [Key in Name]?: undefined }
  : { [Key in Name]: Value };

/** What is sent: the variables of the path, the body, and what is optional on every route. */
export type Call<Of extends Verb, Path extends PathOf<Of>> = Given<'path', Variables<Of, Path>> &
  Given<'body', BodyOf<Of, Path>> &
  CallOptions;

export interface CallOptions {
  /** Also `fields`, and the words of a search: see `criteria`. */
  query?: Readonly<Record<string, string | number | boolean>>;
  /** Names a write. Absent: one is made for this call; give your own where the call must survive a restart. */
  key?: string;
  /** When to give up. Absent: the client's. */
  giveUpAfterMs?: number;
  /** A person pressed cancel: what was sent may be booked all the same. */
  signal?: AbortSignal;
}
