import { extname } from 'node:path';
import { Migration } from '@mikro-orm/migrations';
import type { MikroORM } from '@mikro-orm/postgresql';
import { shipped } from '../pending-migrations.ts';
import { migrationOptions } from '../support/migration-options.ts';

export type StepClass = new (...parts: ConstructorParameters<typeof Migration>) => Migration;

/** One migration: a step of a database to the next state of its tables. */
export interface Step {
  name: string;
  class: StepClass;
}

/** What a step would do, known without doing it. */
export interface PlannedStep {
  name: string;
  /** Its texts, in their order. */
  texts: string[];
  /** Whether all of it is one transaction. */
  isWhole: boolean;
  /** Of one that takes something away: the step that code must know which needs it no more. */
  needs: string | undefined;
}

/**
 * A step that runs statement by statement, each committed by itself: for `create index concurrently` and its like,
 * which no transaction may hold. Every statement must be safe to run again: the step starts anew after a failure.
 */
export abstract class StepByStatement extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /** An index that is made while everybody writes. What a failed try left of it goes first. */
  protected addIndex(name: string, on: string): void {
    this.addSql(`drop index concurrently if exists "${name}"`);
    this.addSql(`create index concurrently "${name}" on ${on}`);
  }
}

/**
 * A step that takes away what an earlier release needs. It comes a release after the code stopped using what goes, and
 * names a step of the release that stopped: code that does not know that one does not start on the database any more.
 */
export abstract class ContractingStep extends Migration {
  abstract readonly needs: string;
}

/** The steps of this release, in the order of their names. */
export const shippedSteps = (): Promise<Step[]> =>
  Promise.all(
    shipped.map(async (name) => {
      const file = new URL(`../migrations/${name}${extname(import.meta.url)}`, import.meta.url);
      const [step] = Object.values((await import(file.href)) as Record<string, StepClass>);
      if (step === undefined) throw new Error(`${name} holds no migration`);
      return { name, class: step };
    }),
  );

/** Asks a step what it would do. A step only says SQL in `up`, it runs none there. */
export async function planOf(orm: MikroORM, { name, class: Made }: Step): Promise<PlannedStep> {
  const migration = new Made(orm.em.getDriver(), orm.config);
  await migration.up();
  return {
    name,
    texts: migration.getQueries().map(String),
    isWhole: migration.isTransactional(),
    needs: migration instanceof ContractingStep ? migration.needs : undefined,
  };
}

/** What the migrator of the ORM needs to know: all steps, whether they are files of ours or of a test. */
export const optionsFor = (steps: readonly Step[]) => ({ ...migrationOptions, migrationsList: [...steps] });

/** How much of a statement a summary shows. */
const shownLetters = 100;

/** A step in a few lines: how it runs, and the beginning of each statement; of a long one the kinds are counted. */
export function summaryOf({ name, texts, isWhole, needs }: PlannedStep): string {
  const statements = texts.flatMap(statementsIn);
  const way = isWhole ? 'in one transaction' : 'statement by statement, outside a transaction';
  const after =
    needs === undefined ? '' : `; a release that does not know ${needs} does not start on this database any more`;
  const lines = statements.length > mostShown ? countKinds(statements) : statements.map(shorten);
  return [`${name}: ${statements.length} statements ${way}${after}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

const mostShown = 12;

/** Good enough for a summary: comments go, and what stands in quotes of a function stays together. */
function statementsIn(text: string): string[] {
  const bare = text.replaceAll(/^[ \t]*--.*$/gm, '').replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$…$');
  return bare
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

const shorten = (statement: string) =>
  statement.length > shownLetters ? `${statement.slice(0, shownLetters)} …` : statement;

function countKinds(statements: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const statement of statements) {
    const kind = /^(?:create (?:or replace )?(?:unique )?\w+|alter \w+|drop \w+|\w+)/i.exec(statement)?.[0] ?? '?';
    counts.set(kind.toLowerCase(), (counts.get(kind.toLowerCase()) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count} × ${kind}`);
}
