import { Argument, Option, type Command } from 'commander';
import { applyShopFile, type ApplyOptions } from './apply-shop.ts';
import { createUser } from './create-user.ts';
import { exportShop } from './export-shop.ts';
import { dayOrders, origins, type ImportOptions } from './import/import-kind.ts';
import type { ProgramParts } from './program-parts.ts';
import { terminalCode } from './terminal-code.ts';

/** Adds the commands that set up a shop in an empty database. */
export function addShopCommands(program: Command, { answer }: ProgramParts): void {
  const group = (name: string, summary: string) => program.command(name).description(summary);

  const shop = group('shop', 'websites, stocks, taxes, settings, locations: all that a shop is made of');
  shop
    .command('apply <file>')
    .description('make the shop as a file says, YAML or JSON; tells each change')
    .option('--dry-run', 'tell the changes and make none')
    .option('--prune', 'remove what the file lists and does not name')
    .action((file: string, options: ApplyOptions) => answer((given) => applyShopFile(given, file, options)));
  shop
    .command('export')
    .description('the shop as a file for shop apply, without secrets')
    .action(() => answer(exportShop));

  program
    .command('import')
    .description('save a CSV file row by row; killed and run again, it goes on where it stopped')
    .addArgument(new Argument('<what>').choices(['products', 'customers', 'stock']))
    .argument('<file>', 'its first line names the columns')
    .addOption(new Option('--from <system>', 'read the export of another system as it is').choices(origins))
    .option('--new-attributes', 'make attributes of products of the columns that the shop does not know')
    .option('--source <code>', 'where the quantities of a list of products lie')
    .addOption(new Option('--dates <order>', 'how days are written beside 2030-12-31').choices(dayOrders))
    .action((what: string, file: string, options: ImportOptions) =>
      answer(async (given) => (await import('./import-csv.ts')).importCsv(given, what, file, undefined, options)),
    );

  group('user', 'platform administrators')
    .command('create')
    .description(
      'add an administrator; without --ask-password the password is POS_USER_PASSWORD, or made and shown once',
    )
    .requiredOption('--username <name>')
    .requiredOption('--email <address>')
    .option('--first-name <name>', '', 'Shop')
    .option('--last-name <name>', '', 'Administrator')
    .option('--acl <resources>', 'what the user may do', 'all')
    .option('--ask-password', 'type the password, or send it as a line of the standard input')
    .action((options: Parameters<typeof createUser>[1]) => answer((given) => createUser(given, options)));

  group('terminal', 'registers')
    .command('code <id-or-name>')
    .description('a new activation code; the device that was bound is released')
    .action((id: string) => answer((given) => terminalCode(given, id)));
}
