import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { LockMode } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import {
  canonicalCode,
  codeAlphabet,
  codeLength,
  isActivationCode,
  isDeviceIdentifier,
} from '../../domain/terminals/formats.ts';
import { Location } from '../locations/location.entity.ts';
import { given } from '../support/given.ts';
import { transact } from '../support/transact.ts';
import { releaseElsewhere } from './activate-terminal.ts';
import { License } from './license.entity.ts';
import { noSuchTerminal } from './terminal.repository.ts';
import { Terminal } from './terminal.entity.ts';

/** What an administrator writes of a terminal; what is left out stays as it is. */
export interface TerminalWish {
  name?: string | undefined;
  deviceIdentifier?: string | null | undefined;
  locationId?: number | null | undefined;
  isActive?: boolean | undefined;
  licenseId?: number | null | undefined;
  configOverrides?: Record<string, unknown> | undefined;
  /** A code of the administrator's own choice, for the seed; absent: one is made where one is needed. */
  activationCode?: string | undefined;
  regenerateActivationCode?: boolean | undefined;
}

/**
 * Creates a terminal, or changes one (spec 2.4, 4.2). A terminal without a device gets an activation code when it has
 * none that is unused; regenerating makes a new one and releases the binding (our choice). Naming a device binds it,
 * wherever it was bound before.
 *
 * Refused with: 404 unknown terminal · 400 `Could not save the terminal: %1`.
 *
 * @param terminalId undefined: a new terminal, one more on each call
 * @returns the terminal's id
 */
export async function saveTerminal(
  em: EntityManager,
  terminalId: number | undefined,
  wish: TerminalWish,
): Promise<number> {
  refuseNonsense(wish, terminalId === undefined);
  return transact(em, async (tx) => {
    const terminal =
      terminalId === undefined
        ? tx.create(Terminal, { name: wish.name ?? '' })
        : await tx.findOne(Terminal, { terminalId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!terminal) throw noSuchTerminal(terminalId ?? 0);
    await refuseUnknown(tx, wish);
    const { name, locationId, isActive, licenseId, configOverrides } = wish;
    tx.assign(terminal, given({ name, locationId, isActive, licenseId, configOverrides }));
    await bind(tx, terminal, wish);
    if (needsCode(terminal, wish)) {
      terminal.activationCode = canonicalCode(wish.activationCode ?? newCode());
      terminal.activationUsedAt = null;
    }
    await tx.flush();
    return terminal.terminalId;
  });
}

async function bind(
  em: EntityManager,
  terminal: Terminal,
  { deviceIdentifier, regenerateActivationCode }: TerminalWish,
) {
  const device = regenerateActivationCode ? null : deviceIdentifier;
  if (device === undefined || device === terminal.deviceIdentifier) return;
  if (device === null) terminal.releasedDeviceIdentifier = terminal.deviceIdentifier ?? null;
  else await releaseElsewhere(em, device, terminal.terminalId ?? 0);
  terminal.deviceIdentifier = device;
}

const needsCode = (terminal: Terminal, { activationCode, regenerateActivationCode }: TerminalWish) =>
  regenerateActivationCode === true ||
  activationCode !== undefined ||
  (!terminal.deviceIdentifier && !terminal.releasedDeviceIdentifier && !terminal.activationCode);

const newCode = () => Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');

function refuseNonsense({ name, deviceIdentifier, activationCode }: TerminalWish, isNew: boolean): void {
  if (isNew ? !name?.trim() : name !== undefined && !name.trim()) throw couldNotSave('a terminal needs a name');
  if (deviceIdentifier && !isDeviceIdentifier(deviceIdentifier)) throw invalid('Invalid device identifier format.');
  if (activationCode !== undefined && !isActivationCode(activationCode))
    throw invalid('Invalid activation code format.');
}

async function refuseUnknown(em: EntityManager, { locationId, licenseId }: TerminalWish): Promise<void> {
  if (locationId && !(await em.count(Location, { locationId }))) throw couldNotSave('the location does not exist');
  if (licenseId && !(await em.count(License, { licenseId }))) throw couldNotSave('the license does not exist');
}

const couldNotSave = (why: string) => invalid('Could not save the terminal: %1', [why]);
