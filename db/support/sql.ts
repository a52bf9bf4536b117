import { kinds } from '../statements.gen.ts';
import type { Kinds } from './entity-columns.ts';
import { numberParameters, register, type Parts, type Statement } from './statement.ts';

type Generated = typeof kinds;
type None = Readonly<Record<never, never>>;

/** What PostgreSQL cannot know of a text. */
interface Known<Takes extends Kinds, Gives extends Parts> {
  /** Parameters that are not what their type says, such as a quantity or the shape of a JSON value. */
  takes?: Takes;
  /** Columns that are not what their origin or type says, and whole rows. */
  gives?: Gives;
  /**
   * For something short that many requests wait for, outside any transaction: a server that is silent for so long is
   * taken for one that stands still, and the connection is closed.
   */
  answerWithinMs?: number;
}

/** A text of `sql`, for the file of kinds. */
export interface Named {
  name: string;
  text: string;
  order: readonly string[];
  /** Parameters that may be null: `$note?`. */
  nullable: ReadonlySet<string>;
  known: { takes: Kinds; gives: Parts };
}

/** Every text of `sql` that was loaded, by its name. */
export const named = new Map<string, Named>();

/**
 * A statement; its text is its definition. The kinds of its parameters and columns are derived from the migrated
 * database and committed in `db/statements.gen.ts`, which `UPDATE_STATEMENTS=1 npm test -- test/house/statements`
 * writes. The name, file and constant, is used for that file only.
 *
 * - A parameter is `$orderId`; one that may be null is `$note?`.
 * - A column `order_id` is `orderId`, with the kind of the entity's column that it comes from, else by its type.
 *
 * It joins the caller's transaction where there is one. Fails at its definition where two texts have one name.
 */
export const sql =
  <const Name extends keyof Generated, const Takes extends Kinds = None, const Gives extends Parts = None>(
    name: Name,
    { takes, gives, answerWithinMs }: Known<Takes, Gives> = {},
  ) =>
  (
    texts: TemplateStringsArray,
    ...parts: readonly (string | number)[]
  ): Statement<ReturnType<Generated[Name]>['takes'] & Takes, ReturnType<Generated[Name]>['gives'] & Gives> => {
    const marked = String.raw({ raw: texts }, ...parts);
    const nullable = new Set([...marked.matchAll(/\$([a-z]\w*)\?/gi)].map(([, parameter = '']) => parameter));
    const { numbered: text, order } = numberParameters(marked.replaceAll(/(\$[a-z]\w*)\?/gi, '$1'));
    if (named.has(name)) throw new Error(`Two statements are named ${name}.`);
    const known = { takes: takes ?? {}, gives: gives ?? {} };
    named.set(name, { name, text, order, nullable, known });
    const kindsOf = () => {
      const derive: (() => { takes: Kinds; gives: Parts }) | undefined = kinds[name];
      if (!derive)
        throw new Error(
          `${name} is not in db/statements.gen.ts: UPDATE_STATEMENTS=1 npm test -- test/house/statements.`,
        );
      const derived = derive();
      return { takes: { ...derived.takes, ...known.takes }, gives: { ...derived.gives, ...known.gives } };
    };
    return register({ text, order, kinds: kindsOf, answerWithinMs });
  };
