import { randomBytes } from 'node:crypto';
import { Argument, Option, type Command } from 'commander';
import { stringify } from 'yaml';
import { Location } from '../db/locations/location.entity.ts';
import { forgetSecondFactor } from '../db/ops/people.ts';
import { AdminUser } from '../db/platform/access/access.entity.ts';
import { createAdminUser } from '../db/platform/access/create-admin-user.ts';
import { readShop } from '../db/shop/read-shop.ts';
import { givePasscode, unlockStaff } from '../db/staff/login-attempts.ts';
import { couldNotSaveStaff } from '../db/staff/staff.ts';
import { saveTerminal } from '../db/terminals/save-terminal.ts';
import { Terminal } from '../db/terminals/terminal.entity.ts';
import { invalid, notFound } from '../domain/errors.ts';
import { passcodeFault } from '../domain/staff.ts';
import { createPasswordHasher, newPasscode } from '../providers/password-hasher.ts';
import { applyShopFile, type ApplyOptions } from './apply-shop.ts';
import { importStaff } from './import-staff.ts';
import { dayOrders, origins, type ImportOptions } from './import/read-rows.ts';
import type { ProgramParts } from './program-parts.ts';
import { fileOf } from './shop/read-shop-file.ts';
import {
  columns,
  fine,
  hashPasscodes,
  operator,
  readPassword,
  resourcesOf,
  type Answer,
  type CommandContext,
} from './support.ts';
import { staffNamed, terminalNamed } from './support/staff-named.ts';

export interface NewUser {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  acl: string;
  /** The password is typed, or comes on the standard input. */
  askPassword?: boolean;
}

const emailPattern = /^[^\s@]+@[^\s@]+$/;

/** 120 random bits: too many to guess, short enough to type. */
const passwordBytes = 15;

/** The platform's own rule for administrators. */
const leastPassword = 7;

/**
 * `user create`: a platform administrator. With `--ask-password` the password is typed, or is the first line of the
 * standard input; else it is `POS_USER_PASSWORD`. So it stands in no shell history. Without either, or where that is
 * empty, one is made and shown once.
 *
 * Refused with 400 when the user name is taken, for what is no resource, no name or no address, a password that is
 * short or without a letter or a digit.
 */
export async function createUser(
  { em: connect, settings }: CommandContext,
  user: NewUser,
  askPassword = readPassword,
): Promise<Answer> {
  const { username, email, firstName, lastName } = user;
  if (username.trim() === '') throw invalid('A user needs a name to sign in with.');
  if (!emailPattern.test(email)) throw invalid('"%1" is not an e-mail address.', [email]);
  const chosen = user.askPassword === true ? await askPassword() : settings.POS_USER_PASSWORD;
  if (chosen !== undefined) refuseWeak(chosen);
  const em = await connect();
  const resources = resourcesOf(user.acl);
  if (await em.count(AdminUser, { $or: [{ username }, { email }] })) {
    throw invalid('There is a user %1, or one with the address %2, already.', [username, email]);
  }
  const password = chosen ?? randomBytes(passwordBytes).toString('base64url');
  const passwordHash = await hash(password);
  const userId = await createAdminUser(em, { username, email, firstName, lastName, passwordHash, resources });
  const passwordNote = chosen === undefined ? ` The password is ${password}; it is not shown again.` : '';
  return fine(`User ${username} was made.${passwordNote}`, {
    user_id: userId,
    username,
    ...(chosen === undefined ? { password } : {}),
  });
}

function refuseWeak(password: string): void {
  if (password.length < leastPassword || !/[a-z]/i.test(password) || !/\d/.test(password))
    throw invalid('A password needs at least %1 characters, letters and digits among them.', [leastPassword]);
}

async function hash(password: string): Promise<string> {
  const hasher = createPasswordHasher();
  try {
    return await hasher.hash(password);
  } finally {
    await hasher.close();
  }
}

/** With this line editors find the schema, when the file lies in the project's folder. */
const schemaLine = '# yaml-language-server: $schema=docs/reference/shop.schema.json\n';

/**
 * `shop export`: writes the shop as a file for `shop apply`. Applied at once, the file changes nothing. It has no
 * secrets and no sales. `--json` writes JSON.
 */
export async function exportShop({ em }: CommandContext): Promise<Answer> {
  const file = fileOf(await readShop(await em()));
  return fine(schemaLine + stringify(file, { lineWidth: 0 }).trimEnd(), file);
}

/**
 * `user forget-second-factor USERNAME`: for an administrator whose phone is lost; the next sign-in at `/ops` makes a
 * new one.
 *
 * Refused with 404 for nobody.
 */
async function forgetFactor({ em }: CommandContext, username: string): Promise<Answer> {
  const by = operator().staffName ?? 'pos';
  if (!(await forgetSecondFactor((await em()).fork(), { username, by })))
    throw notFound('No user is known as %1.', [username]);
  return fine(`${username} makes a new second factor at the next sign-in.`, { username });
}

/** A column of a file: its name, what stands in it, and a cell as an example. */
type Column = readonly [name: string, says: string, example: string];

/** What `import --help` tells, and `import … --template` writes. A test imports each example. */
export const importColumns: Readonly<Record<string, readonly Column[]>> = {
  products: [
    ['sku', 'needed; the same sku is the same product', 'MUG-WHITE'],
    ['name', 'needed for a new product', 'Mug, white'],
    ['price', 'needed for a new product; in the base currency', '12.00'],
    ['status', '1 for sale, 2 not', '1'],
    ['visibility', '1 nowhere, 2 in lists, 3 in searches, 4 in both', '4'],
    ['type', 'simple or virtual', 'simple'],
    ['weight', 'with at most four decimals', '0.35'],
    ['websites', 'codes with | between', 'base'],
    ['categories', 'ids with | between', '2'],
    ['tax_class_id', '2 is taxable goods', '2'],
  ],
  customers: [
    ['email', 'needed; the same address on one website is the same customer', 'grace@shop.example'],
    ['firstname', 'needed', 'Grace'],
    ['lastname', 'needed', 'Green'],
    ['website', 'a code; empty: the default one', 'base'],
    ['group', 'the code of a customer group', 'General'],
    ['dob', 'the day of birth', '1990-12-31'],
    ['street', 'an address is added where there is none yet', '1 High Street'],
    ['city', 'of the address', 'Troy'],
    ['postcode', 'of the address', '12180'],
    ['country', 'two letters', 'US'],
    ['region', 'the code of the region', 'NY'],
    ['telephone', 'of the address', '+1 518 555 0100'],
  ],
  stock: [
    ['sku', 'needed; the product is there already', 'MUG-WHITE'],
    ['source', 'needed; the code of a source', 'high_street'],
    ['quantity', 'needed; how many lie there now', '25'],
    ['status', '1 for sale, 0 not; empty: for sale above zero', '1'],
  ],
  staff: [
    ['email', 'needed; the same address is the same person', 'carla@shop.example'],
    ['first_name', 'needed', 'Carla'],
    ['last_name', 'needed', 'Cruz'],
    ['role', 'needed; the name of a role', 'Cashier'],
    ['locations', 'codes with | between, or all', 'high-street'],
    ['passcode', 'empty: one is made for who is new, and shown once', ''],
    ['active', '1, or 0 for who left', '1'],
  ],
};

export const importables = Object.keys(importColumns);

/** `import … --template`: the first line of a file and a row as an example. */
export function importTemplate(what: string): Answer {
  const columns = importColumns[what] ?? [];
  const cells = (at: 0 | 2) =>
    columns.map((column) => (/[",]/.test(column[at]) ? `"${column[at]}"` : column[at])).join(',');
  return fine(`${cells(0)}\n${cells(2)}`, { columns: columns.map(([name, says]) => ({ name, says })) });
}

/** The columns of every kind of file, for `--help`. */
export const columnsHelp = (): string =>
  Object.entries(importColumns)
    .map(([what, columns]) => `\n${what}:\n${columns.map(([name, says]) => `  ${name.padEnd(14)} ${says}`).join('\n')}`)
    .join('\n');

/**
 * `staff reset-passcode EMAIL-OR-ID`: a new passcode, shown once; with `--ask-passcode` it is typed, or is the first
 * line of the standard input. Whoever was locked out may sign in again at once. Registers that know the old one ask
 * online once more.
 *
 * Refused with 404 for nobody, 400 for a passcode that cannot be kept.
 */
export async function resetPasscode(
  { em: connect }: CommandContext,
  input: string,
  { askPasscode = false }: { askPasscode?: boolean },
  ask = readPassword,
): Promise<Answer> {
  const em = await connect();
  const { staffId, email } = await staffNamed(em, input);
  const passcode = askPasscode ? await ask() : newPasscode();
  const fault = passcodeFault(passcode);
  if (fault) throw couldNotSaveStaff(fault);
  const [passcodeHash] = await hashPasscodes([passcode]);
  await givePasscode(em, { staffId, passcodeHash, by: operator() });
  return askPasscode
    ? fine(`${email} has the passcode that you gave.`, { staff_id: staffId, email })
    : fine(`${email} has the passcode ${passcode}; it is not shown again.`, { staff_id: staffId, email, passcode });
}

/**
 * `terminal code ID` or `terminal code NAME`: a new activation code; the device that was bound is released. Each call
 * makes another code, and the one before it opens nothing any more. The audit trail names who asked for it.
 *
 * Refused with 404 for an unknown terminal, 400 for a name that two have.
 */
export async function terminalCode({ em: connect }: CommandContext, id: string): Promise<Answer> {
  const em = await connect();
  const terminalId = await terminalNamed(em, id);
  await saveTerminal(em, terminalId, { regenerateActivationCode: true }, operator());
  const { activationCode } = await em.fork().findOneOrFail(Terminal, { terminalId });
  return fine(activationCode ?? '', { terminal_id: terminalId, activation_code: activationCode });
}

/**
 * `terminal code --location CODE` and `terminal code --all`: the activation codes of every register that waits for its
 * device. Nothing is changed, and no device is released.
 *
 * Refused with 404 for an unknown location.
 */
export async function terminalCodes({ em: connect }: CommandContext, code: string | undefined): Promise<Answer> {
  const em = await connect();
  const locations = await em.find(Location, code === undefined ? {} : { code });
  if (code !== undefined && locations.length === 0) throw notFound('No location has the code %1.', [code]);
  const codeOf = new Map(locations.map((location) => [location.locationId, location.code]));
  const terminals = await em.find(
    Terminal,
    { locationId: { $in: [...codeOf.keys()] } },
    { orderBy: { terminalId: 'asc' } },
  );
  const rows = terminals.map(({ terminalId, name, locationId, activationCode, deviceIdentifier }) => ({
    terminal_id: terminalId,
    location: codeOf.get(locationId ?? 0) ?? '',
    name,
    activation_code: deviceIdentifier ? null : (activationCode ?? null),
  }));
  if (rows.length === 0) return fine('There are no registers.', rows);
  return fine(
    columns(
      rows.map(({ location, name, activation_code: waiting }) => [location, name, waiting ?? 'in use by a device']),
    ),
    rows,
  );
}

/**
 * `staff unlock EMAIL-OR-ID`: who guessed too often may sign in again at once. A repeat changes nothing.
 *
 * Refused with 404 for nobody.
 */
export async function unlockMember({ em: connect }: CommandContext, input: string): Promise<Answer> {
  const em = await connect();
  const { staffId, email } = await staffNamed(em, input);
  await unlockStaff(em.fork(), { staffId, by: operator() });
  return fine(`${email} may sign in again.`, { staff_id: staffId, email });
}

/** Adds the commands that set up a shop in an empty database. */
export function addShopCommands(program: Command, { answer }: ProgramParts): void {
  const group = (name: string, summary: string) => program.command(name).description(summary);

  const shop = group('shop', 'websites, stocks, taxes, settings, locations: all that a shop is made of');
  shop
    .command('apply <file>')
    .description('make the shop as a file says, YAML or JSON; tells each change')
    .option('--dry-run', 'tell the changes and make none')
    .option('--prune', 'remove what the file lists and does not name')
    .action((file: string, options: ApplyOptions) => answer((input) => applyShopFile(input, file, options)));
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
        answer(async (posted) => {
          if (template) return importTemplate(what);
          if (file === undefined) throw invalid('Name the file, or write one with --template.');
          if (what === 'staff') return importStaff(posted, file);
          return (await import('./import-csv.ts')).importCsv(posted, what, file, undefined, options);
        }),
    );

  const users = group('user', 'platform administrators');
  users
    .command('forget-second-factor <username>')
    .description('for a lost phone: the next sign-in at /ops makes a new second factor')
    .action((username: string) => answer((values) => forgetFactor(values, username)));
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
    .action((options: Parameters<typeof createUser>[1]) => answer((shop) => createUser(shop, options)));

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
