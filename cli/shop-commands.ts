import { Argument, Option, type Command } from 'commander';
import { invalid } from '../domain/errors.ts';
import { applyShopFile, type ApplyOptions } from './apply-shop.ts';
import { createUser } from './create-user.ts';
import { exportShop } from './export-shop.ts';
import { dayOrders, origins, type ImportOptions } from './import/import-kind.ts';
import { forgetFactor } from './forget-second-factor.ts';
import { importStaff } from './import-staff.ts';
import { columnsHelp, importables, importTemplate } from './import-templates.ts';
import type { ProgramParts } from './program-parts.ts';
import { resetPasscode } from './reset-passcode.ts';
import { terminalCode } from './terminal-code.ts';
import { terminalCodes } from './terminal-codes.ts';
import { unlockMember } from './unlock-staff.ts';

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
    .addArgument(new Argument('<what>').choices(importables))
    .argument('[file]', 'its first line names the columns')
    .addOption(new Option('--from <system>', 'read the export of another system as it is').choices(origins))
    .option('--new-attributes', 'make attributes of products of the columns that the shop does not know')
    .option('--source <code>', 'where the quantities of a list of products lie')
    .addOption(new Option('--dates <order>', 'how days are written beside 2030-12-31').choices(dayOrders))
    .option('--template', 'write the first line of such a file, and a row as an example')
    .addHelpText('after', columnsHelp)
    .action(
      (
        what: string,
        file: string | undefined,
        { template = false, ...options }: ImportOptions & { template?: boolean },
      ) =>
        answer(async (given) => {
          if (template) return importTemplate(what);
          if (file === undefined) throw invalid('Name the file, or write one with --template.');
          if (what === 'staff') return importStaff(given, file);
          return (await import('./import-csv.ts')).importCsv(given, what, file, undefined, options);
        }),
    );

  const users = group('user', 'platform administrators');
  users
    .command('forget-second-factor <username>')
    .description('for a lost phone: the next sign-in at /ops makes a new second factor')
    .action((username: string) => answer((given) => forgetFactor(given, username)));
  users
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
    .command('code [id-or-name]')
    .description('a new activation code; the device that was bound is released')
    .option('--location <code>', 'show the codes of its registers that wait for a device; changes nothing')
    .option('--all', 'show those of every location')
    .action((id: string | undefined, { location, all }: { location?: string; all?: boolean }) =>
      answer((given) => {
        if ([id, location, all].filter((one) => one !== undefined).length !== 1)
          throw invalid('Name one register, or a location with --location, or --all.');
        return id === undefined ? terminalCodes(given, location) : terminalCode(given, id);
      }),
    );

  const staff = group('staff', 'people at the registers');
  staff
    .command('reset-passcode <email-or-id>')
    .description('a new passcode, shown once; who was locked out may sign in again')
    .option('--ask-passcode', 'type the passcode, or send it as a line of the standard input')
    .action((who: string, options: { askPasscode?: boolean }) => answer((given) => resetPasscode(given, who, options)));
  staff
    .command('unlock <email-or-id>')
    .description('who guessed too often may sign in again at once')
    .action((who: string) => answer((given) => unlockMember(given, who)));
}
