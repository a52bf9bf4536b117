import { readFileSync, statSync } from 'node:fs';
import type { EntityManager } from '@mikro-orm/postgresql';
import Papa from 'papaparse';
import { roleNamed, workAt } from '../db/shop/keep-staff.ts';
import { couldNotSaveStaff, createStaff, updateStaff } from '../db/staff/staff.ts';
import { Staff } from '../db/staff/staff.entity.ts';
import { joined, transact } from '../db/support/transact.ts';
import { invalid, PosError } from '../domain/errors.ts';
import { inWords } from '../domain/fill-in.ts';
import { emailKey, passcodeFault } from '../domain/staff.ts';
import { newPasscode } from '../providers/password-hasher.ts';
import { columns as inColumns, hashPasscodes, operator, type Answer, type CommandContext } from './support.ts';

/** More than ten thousand people. */
const mostBytes = 5_000_000;
const needed = ['email', 'first_name', 'last_name', 'role'] as const;
const allowed: readonly string[] = [...needed, 'locations', 'passcode', 'active'];
/** In place of codes: every location, also one that opens later. */
const everywhere = 'all';

type Row = Readonly<Record<string, string>>;

/**
 * `import staff FILE`: people at the registers by e-mail address, one row each. `locations` has codes with `|` between,
 * or `all`; `active` is 1 or 0. Empty cells change nothing for somebody known. Who is new and has no `passcode` gets
 * one, which is shown once.
 *
 * Each row is one transaction, and a repeat changes nothing; refused rows are told, and the others saved. Refused with
 * 400, before anything is saved: a file that cannot be read, a column that is missing or unknown.
 */
export async function importStaff({ em: connect }: CommandContext, file: string): Promise<Answer> {
  const rows = readFile(file);
  const em = await connect();
  const refused: { row: number; email: string; reason: string }[] = [];
  const passcodes: { email: string; passcode: string }[] = [];
  for (const [at, row] of rows.entries()) {
    const email = row['email'] ?? '';
    try {
      const passcode = await save(em, row);
      if (passcode !== undefined) passcodes.push({ email, passcode });
    } catch (error) {
      if (!(error instanceof PosError) || error.status >= 500) throw error;
      refused.push({ row: at + 1, email, reason: inWords(error.refusal) });
    }
  }
  return {
    text: [
      `${rows.length} rows: ${rows.length - refused.length} saved, ${refused.length} refused.`,
      ...refused.map(({ row, email, reason }) => `  row ${row}, ${email}: ${reason}`),
      ...(passcodes.length === 0 ? [] : ['New passcodes, not shown again:']),
      ...(passcodes.length === 0 ? [] : [inColumns(passcodes.map(({ email, passcode }) => [`  ${email}`, passcode]))]),
    ].join('\n'),
    json: { rows: rows.length, saved: rows.length - refused.length, refused, passcodes },
    isFine: refused.length === 0,
  };
}

function readFile(file: string): Row[] {
  let content: string;
  try {
    if (statSync(file).size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    content = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw invalid('"%1" is not in UTF-8; save it as CSV in UTF-8.', [file]);
    throw invalid('"%1" cannot be read: %2', [file, error instanceof Error ? error.message : String(error)]);
  }
  const { data, meta } = Papa.parse<Row>(content, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim().toLowerCase(),
    transform: (value) => value.trim(),
  });
  const found = meta.fields ?? [];
  const missing = needed.filter((column) => !found.includes(column));
  if (missing.length > 0) throw invalid('The first line has no column %1.', [missing.join(', ')]);
  const unknown = found.filter((column) => !allowed.includes(column));
  if (unknown.length > 0)
    throw invalid('Nobody knows the columns %1; there are %2.', [unknown.join(', '), allowed.join(', ')]);
  return data;
}

/** @returns the new passcode that nobody was told yet */
async function save(em: EntityManager, row: Row): Promise<string | undefined> {
  const { email = '', first_name: firstName = '', last_name: lastName = '', role = '' } = row;
  const known = await em.fork().findOne(Staff, { emailKey: emailKey(email) });
  const input = row['passcode'] ? row['passcode'] : undefined;
  const fault = input === undefined ? undefined : passcodeFault(input);
  if (fault) throw couldNotSaveStaff(fault);
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

function placesOf(row: Row): { codes?: readonly string[]; allLocations?: boolean } {
  const cell = row['locations'] ?? '';
  if (cell === '') return {};
  if (cell.toLowerCase() === everywhere) return { codes: [], allLocations: true };
  return { codes: [...new Set(cell.split('|').map((code) => code.trim()))], allLocations: false };
}

function activeOf(row: Row): boolean | undefined {
  const cell = row['active'] ?? '';
  if (cell === '') return undefined;
  if (cell !== '0' && cell !== '1') throw invalid('active is 1 or 0, not "%1".', [cell]);
  return cell === '1';
}
