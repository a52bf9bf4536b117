import { randomInt } from 'node:crypto';
import { ForeignKeyConstraintViolationException, LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { overrideFault } from '../../domain/configuration/resolvables.ts';
import { activationCodeFormat, deviceFormatNotValid, terminalNotSaved } from '../../domain/refusals/register.ts';
import {
  canonicalCode,
  codeAlphabet,
  codeLength,
  isActivationCode,
  isDeviceIdentifier,
  isLicenseKey,
} from '../../domain/terminals.ts';
import { factsOf, recordDifference, type Author, type Subject } from '../audit/record-difference.ts';
import { Location } from '../locations/location.entity.ts';
import { definedFields } from '../support/defined-fields.ts';
import { transact } from '../support/transact.ts';
import { findElsewhere, releaseElsewhere, takeTurns, licenseOfKey } from './activate-terminal.ts';
import { License, Terminal } from './terminal.entity.ts';
import { noSuchTerminal } from './terminal.repository.ts';

/** The fields of a terminal that an administrator sends; an absent field keeps its value. */
export interface TerminalInput {
  name?: string | undefined;
  deviceIdentifier?: string | null | undefined;
  locationId?: number | null | undefined;
  isActive?: boolean | undefined;
  licenseId?: number | null | undefined;
  /** Links the license with this key of the license service, whatever `licenseId` says. */
  licenseKey?: string | undefined;
  configOverrides?: Record<string, unknown> | undefined;
  /** The administrator's own code, for the seed; absent: one is generated where needed. */
  activationCode?: string | undefined;
  regenerateActivationCode?: boolean | undefined;
}

/**
 * Creates a terminal, or changes one (spec 2.4, 4.2). A terminal without a device and without an unused activation
 * code gets one. Regenerating makes a new code and releases the binding (our choice). Naming a device binds it,
 * wherever it was bound before, and makes a waiting code invalid.
 *
 * Every changed field gets an audit entry where an author is given, also for the terminal that loses the device.
 *
 * Refused with: 404 unknown terminal · 400 `Could not save the terminal: %1`.
 *
 * @param terminalId undefined: each call creates a terminal
 * @returns the terminal's id
 */
export async function saveTerminal(
  em: EntityManager,
  terminalId: number | undefined,
  input: TerminalInput,
  by?: Author,
): Promise<number> {
  refuseNonsense(input, terminalId === undefined);
  try {
    return await transact(em, (tx) => save(tx, terminalId, input, by));
  } catch (error) {
    // The location or the license existed when it was checked.
    if (error instanceof ForeignKeyConstraintViolationException) throw couldNotSave('the location does not exist');
    throw error;
  }
}

async function save(em: EntityManager, terminalId: number | undefined, input: TerminalInput, by: Author | undefined) {
  if (input.deviceIdentifier) await takeTurns(em, input.deviceIdentifier);
  const terminal =
    terminalId === undefined ? em.create(Terminal, { name: input.name ?? '' }) : await lockTerminal(em, terminalId);
  const before = terminalId === undefined ? {} : await factsOf(em, { kind: 'terminal', id: terminalId });
  await refuseUnknown(em, input);
  const { name, locationId, isActive, configOverrides, licenseKey } = input;
  const licenseId = licenseKey === undefined ? input.licenseId : await licenseOfKey(em, licenseKey);
  em.assign(terminal, definedFields({ name, locationId, isActive, licenseId, configOverrides }));
  await bind(em, terminal, input, by);
  if (needsCode(terminal, input)) {
    terminal.activationCode = canonicalCode(input.activationCode ?? newCode());
    terminal.activationUsedAt = null;
    terminal.codeClaimedBy = null;
  }
  await em.flush();
  await recordDifference(em, { subject: { kind: 'terminal', id: terminal.terminalId }, before, by });
  return terminal.terminalId;
}

async function lockTerminal(em: EntityManager, terminalId: number): Promise<Terminal> {
  const found = await em.findOne(Terminal, { terminalId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!found) throw noSuchTerminal(terminalId);
  return found;
}

async function bind(
  em: EntityManager,
  terminal: Terminal,
  { deviceIdentifier, regenerateActivationCode }: TerminalInput,
  by: Author | undefined,
) {
  const device = regenerateActivationCode ? null : deviceIdentifier;
  if (device === undefined || device === terminal.deviceIdentifier) return;
  if (device === null) terminal.releasedDeviceIdentifier = terminal.deviceIdentifier ?? null;
  else {
    await takeFromOthers(em, device, terminal.terminalId ?? 0, by);
    if (!terminal.activationUsedAt) terminal.activationCode = null;
  }
  terminal.deviceIdentifier = device;
}

async function takeFromOthers(em: EntityManager, device: string, terminalId: number, by: Author | undefined) {
  const former = await findElsewhere(em, device, terminalId);
  if (!former) return;
  const subject: Subject = { kind: 'terminal', id: former.terminalId };
  const before = await factsOf(em, subject);
  await releaseElsewhere(em, device, terminalId);
  await recordDifference(em, { subject, before, by });
}

const needsCode = (terminal: Terminal, { activationCode, regenerateActivationCode }: TerminalInput) =>
  regenerateActivationCode === true ||
  activationCode !== undefined ||
  (!terminal.deviceIdentifier && !terminal.releasedDeviceIdentifier && !terminal.activationCode);

const newCode = () => Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');

function refuseNonsense(input: TerminalInput, isNew: boolean): void {
  const { name, deviceIdentifier, activationCode, licenseKey, configOverrides } = input;
  if (isNew ? !name?.trim() : name !== undefined && !name.trim()) throw couldNotSave('a terminal needs a name');
  if (deviceIdentifier && !isDeviceIdentifier(deviceIdentifier)) throw deviceFormatNotValid();
  if (activationCode !== undefined && !isActivationCode(activationCode)) throw activationCodeFormat();
  if (licenseKey !== undefined && !isLicenseKey(licenseKey)) throw couldNotSave('the license key is not valid');
  const fault = overrideFault(configOverrides ?? {});
  if (fault !== undefined) throw couldNotSave(fault);
}

async function refuseUnknown(em: EntityManager, { locationId, licenseId, licenseKey }: TerminalInput): Promise<void> {
  if (locationId && !(await em.count(Location, { locationId }))) throw couldNotSave('the location does not exist');
  if (licenseId && licenseKey === undefined && !(await em.count(License, { licenseId })))
    throw couldNotSave('the license does not exist');
}

const couldNotSave = (why: string) => terminalNotSaved([why]);
