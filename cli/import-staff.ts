import { statSync } from 'node:fs';
import type { EntityManager } from '@mikro-orm/postgresql';
import { roleNamed, workAt } from '../db/shop/keep-staff.ts';
import { couldNotSaveStaff, createStaff, updateStaff } from '../db/staff/staff.ts';
import { Staff } from '../db/staff/staff.entity.ts';
import { joined, transact } from '../db/support/transact.ts';
import { invalid, PosError } from '../domain/errors.ts';
import { inWords } from '../domain/fill-in.ts';
import { isCutOff } from '../domain/platform/catalog/scoped-values.ts';
import { emailKey, passcodeFault } from '../domain/staff.ts';
import { newPasscode } from '../providers/password-hasher.ts';
import { digitsCutOff } from './import/attribute-cells.ts';
import { openRows, type CsvRow, type ReadRow } from './import/read-rows.ts';
import { columns as inColumns, hashPasscodes, operator, type Answer, type CommandContext } from './support.ts';

/** More than ten thousand people. */
const mostBytes = 5_000_000;
const needed = ['email', 'first_name', 'last_name', 'role'] as const;
const allowed: readonly string[] = [...needed, 'locations', 'passcode', 'active'];
/** In place of codes: every location, also one that opens later. */
const everywhere = 'all';

/**
 * `import staff FILE`: people at the registers by e-mail address, one row each. `locations` has codes with `|` between,
 * or `all`; `active` is 1 or 0. Empty cells change nothing for a known person. A new person without `passcode` gets
 * one, which is shown once.
 *
 * Each row is one transaction, and a repeat changes nothing. Refused rows are listed without their other cells, which
 * may hold passcodes; the others are saved. Of two rows with one e-mail none is saved.
 *
 * Refused with 400, before anything is saved: a file that cannot be read, a column that is missing or unknown.
 */
export async function importStaff({ em: connect }: CommandContext, file: string): Promise<Answer> {
  const rows = await readRows(file);
  const em = await connect();
  const refused: { row: number; email: string; reason: string }[] = [];
  const passcodes: { email: string; passcode: string }[] = [];
  const short: { row: number; email: string }[] = [];
  const namedTwice = contradictions(rows);
  for (const [at, { row, fault }] of rows.entries()) {
    const email = row['email'] ?? '';
    try {
      const why = fault === undefined ? namedTwice(row) : withoutCells(fault);
      if (why !== undefined) throw invalid('%1', [why]);
      const passcode = await save(em, row);
      if (passcode !== undefined) passcodes.push({ email, passcode });
      if (/^\d{1,5}$/.test(row['passcode'] ?? '')) short.push({ row: at + 1, email });
    } catch (error) {
      if (!(error instanceof PosError) || error.status >= 500) throw error;
      // Of a row that could not be cut into cells the first one is the whole line.
      refused.push({ row: at + 1, email: isOneCell(email) ? email : '', reason: inWords(error.refusal) });
    }
  }
  return {
    text: [
      `${rows.length} rows: ${rows.length - refused.length} saved, ${refused.length} refused.`,
      ...refused.map(({ row, email, reason }) => `  row ${row}${email === '' ? '' : `, ${email}`}: ${reason}`),
      ...short.map(({ row, email }) => `  row ${row}, ${email}: ${shortPasscode}`),
      ...(passcodes.length === 0 ? [] : ['New passcodes, not shown again:']),
      ...(passcodes.length === 0 ? [] : [inColumns(passcodes.map(({ email, passcode }) => [`  ${email}`, passcode]))]),
    ].join('\n'),
    json: { rows: rows.length, saved: rows.length - refused.length, refused, short_passcodes: short, passcodes },
    isFine: refused.length === 0,
  };
}

const shortPasscode = 'saved with a passcode of fewer than six digits. A spreadsheet may have cut off a leading zero.';

async function readRows(file: string): Promise<ReadRow[]> {
  try {
    if (statSync(file).size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
  } catch (error) {
    throw invalid('"%1" cannot be read: %2', [file, error instanceof Error ? error.message : String(error)]);
  }
  const { columns: found, rows } = await openRows(file);
  const missing = needed.filter((column) => !found.includes(column));
  if (missing.length > 0) throw invalid('The first line has no column %1.', [missing.join(', ')]);
  const unknown = found.filter((column) => !allowed.includes(column));
  if (unknown.length > 0)
    throw invalid('Staff have no column %1; there are %2.', [unknown.join(', '), allowed.join(', ')]);
  const read: ReadRow[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

const isOneCell = (email: string) => !/["',;|\t]/.test(email);

/** Quoted parts of a reason are cells of the row. */
const withoutCells = (fault: string) => fault.replaceAll(/:? "[^]*"/g, '');

/** Why a row is refused whose e-mail another row has with other cells; undefined: none has. */
function contradictions(rows: readonly ReadRow[]): (row: CsvRow) => string | undefined {
  const byEmail = new Map<string, { first: number; cells: string; other?: number }>();
  for (const [at, { row, fault }] of rows.entries()) {
    if (fault !== undefined) continue;
    const [key, cells] = [emailKey(row['email'] ?? ''), JSON.stringify({ ...row, email: '' })];
    const known = byEmail.get(key);
    if (!known) byEmail.set(key, { first: at + 1, cells });
    else if (known.cells !== cells) known.other ??= at + 1;
  }
  return (row) => {
    const { first, other } = byEmail.get(emailKey(row['email'] ?? '')) ?? {};
    return other === undefined
      ? undefined
      : `Rows ${first} and ${other} have this e-mail and differ. Remove one of them.`;
  };
}

/** @returns the new passcode, which was shown to no person yet */
async function save(em: EntityManager, row: CsvRow): Promise<string | undefined> {
  const { email = '', first_name: firstName = '', last_name: lastName = '', role = '' } = row;
  const known = await em.fork().findOne(Staff, { emailKey: emailKey(email) });
  const input = row['passcode'] ? row['passcode'] : undefined;
  const fault = input === undefined ? undefined : passcodeFault(input);
  if (fault) throw couldNotSaveStaff(fault);
  if (input !== undefined) refuseUntypable(input);
  if (!known && role === '') throw invalid('A new member of staff needs a role.');
  const made = known || input !== undefined ? undefined : newPasscode();
  const passcode = input ?? made;
  const [passcodeHash] = passcode === undefined ? [] : await hashPasscodes([passcode]);
  const { codes, allLocations } = placesOf(row);
  const isActive = activeOf(row);
  await transact(em.fork(), async (tx) => {
    const own = joined(tx);
    const roleId = role === '' ? undefined : await roleNamed(own, role);
    const by = operator();
    const command = {
      firstName: firstName || undefined,
      lastName: lastName || undefined,
      roleId,
      allLocations,
      isActive,
      passcodeHash,
    };
    const staffId = known
      ? known.staffId
      : (
          await createStaff(
            own,
            {
              email,
              firstName,
              lastName,
              roleId: roleId ?? 0,
              passcodeHash: passcodeHash ?? '',
              allLocations: allLocations ?? false,
              isActive: isActive ?? true,
            },
            by,
          )
        ).staffId;
    if (known) await updateStaff(own, { staffId, wish: command, by });
    if (codes) await workAt(own, { staffId, codes, by });
  });
  return made;
}

/**
 * Registers have keys for ASCII digits. Refused with 400: a passcode that a spreadsheet changed, or one that no person
 * can type there.
 */
function refuseUntypable(passcode: string): void {
  if (isCutOff('barcode', passcode)) throw digitsCutOff('passcode', passcode);
  if (/\s/u.test(passcode)) throw invalid('The passcode has a blank.');
  if (/\p{Nd}/u.test(passcode.replaceAll(/[0-9]/g, ''))) throw invalid('The passcode has digits other than 0 to 9.');
}

function placesOf(row: CsvRow): { codes?: readonly string[]; allLocations?: boolean } {
  const cell = row['locations'] ?? '';
  if (cell === '') return {};
  if (cell.toLowerCase() === everywhere) return { codes: [], allLocations: true };
  return { codes: [...new Set(cell.split('|').map((code) => code.trim()))], allLocations: false };
}

function activeOf(row: CsvRow): boolean | undefined {
  const cell = row['active'] ?? '';
  if (cell === '') return undefined;
  if (cell !== '0' && cell !== '1') throw invalid('active is 1 or 0, not "%1".', [cell]);
  return cell === '1';
}
