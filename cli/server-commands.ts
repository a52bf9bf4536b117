import type { Command } from 'commander';
import { reseal } from '../db/sealed-columns.ts';
import type { BackupOptions } from './backup-check.ts';
import type { ProgramParts } from './program-parts.ts';
import { columns, fine, type Answer, type CommandContext } from './support.ts';

/**
 * `secrets reseal`: seals with `POS_SECRET_KEY` what `POS_SECRET_KEY_OLD` sealed. It may be stopped at any time; a
 * repeat goes on. It fails where some are left: sealed meanwhile by a process with the old key, or opened by no key.
 */
export async function resealSecrets(
  { em, secrets }: CommandContext,
  say = (line: string) => void process.stderr.write(`${line}\n`),
): Promise<Answer> {
  const result = await reseal((await em()).fork(), secrets(), (column, done) => say(`${column}: ${done} sealed anew`));
  const [renewed, remaining, closed] = [result.renewed, result.remaining, result.closed].map(sumOf);
  const rows = Object.entries(result.remaining).map(([column, left]) => [
    column,
    `${left} left`,
    result.closed[column] === undefined ? 'run it again' : `${result.closed[column]} opened by no key`,
  ]);
  const json = { renewed, remaining, opened_by_no_key: closed, columns: result };
  if (remaining === 0)
    return fine(`${renewed} texts were sealed anew, and none is left: the database needs no earlier key.`, json);
  const text = `${renewed} texts were sealed anew, ${remaining} are left.\n${columns(rows)}`;
  return { text, json, isFine: false };
}

const sumOf = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, one) => sum + one, 0);

/** The commands for who keeps the servers: keys and backups. */
export function addServerCommands(program: Command, { answer }: ProgramParts): void {
  program
    .command('secrets')
    .description('what POS_SECRET_KEY seals')
    .command('reseal')
    .description('seal with the present key what earlier keys sealed; safe to stop and to repeat')
    .action(() => answer((shop) => resealSecrets(shop)));
  program
    .command('backup')
    .description('backups of the database')
    .command('check')
    .description('whether a database is whole, and how much a loss would take; exit code 1 when a line is broken')
    .option('--database <url>', 'another database, such as one just restored; default: the configured one')
    .option('--folder <path>', 'where backups are put: its newest file must be young enough')
    .option('--within <hours>', 'how old a backup, and the last archived segment, may be', '26')
    .option('--books-minutes <minutes>', 'how long one rule of the books may take; 0 leaves the books out', '10')
    .action((options: BackupOptions) =>
      answer(async (shop) => (await import('./backup-check.ts')).checkBackup(shop, options)),
    );
}
