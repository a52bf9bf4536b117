import type { EntityManager } from '@mikro-orm/postgresql';
import { activationCodeUnknown } from '../../domain/refusals/register.ts';
import { canonicalCode, type LicenseFacts } from '../../domain/terminals.ts';
import { lockAdvisory } from '../support/lock-advisory.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { usableTerminal } from './terminal.repository.ts';

/** Longer than the license service's timeout. */
const claimSeconds = 60;
const isFreeFor = '(code_claimed_by is null or code_claimed_by = $deviceIdentifier or code_claimed_until <= now())';

/** A code, and the device that wants to be bound by it. */
export interface Activation {
  activationCode: string;
  deviceIdentifier: string;
}

export interface ClaimedCode {
  terminalId: number;
  isBound: boolean;
}

/**
 * Reserves a code for one device while the license service is asked; for all other devices it counts as used. The
 * same device may ask again at once, whatever happened to its first attempt.
 *
 * The reservation ends with the binding, with `giveCodeBack`, or after a minute, if this process dies.
 *
 * Refused with: 404 unknown or used code · 400 terminal disabled.
 *
 * @returns the code's terminal, and whether this device is bound by this code already: then its answer was lost
 */
export async function claimCode(em: EntityManager, activation: Activation): Promise<ClaimedCode> {
  const { activationCode, deviceIdentifier } = activation;
  const code = canonicalCode(activationCode);
  const row = await claim.first(em, { code, deviceIdentifier, claimSeconds });
  const boundTo = row ? undefined : await activatedBefore(em, activation);
  return { terminalId: boundTo ?? usableTerminal(row), isBound: boundTo !== undefined };
}

const claim = sql('activate-terminal.claim')`
  update pos_terminal set code_claimed_by = case when is_active then $deviceIdentifier end,
    code_claimed_until = now() + make_interval(secs => $claimSeconds)
  where activation_code = $code and activation_used_at is null and ${isFreeFor} returning terminal_id, is_active`;

/**
 * The terminal that this device is already bound to by this code. Undefined once the device is bound elsewhere, was
 * released, or the terminal has a new code.
 *
 * Refused with: 400 terminal disabled.
 */
async function activatedBefore(em: EntityManager, input: Activation): Promise<number | undefined> {
  const { activationCode, deviceIdentifier } = input;
  const bound = await boundBy.first(em, { code: canonicalCode(activationCode), deviceIdentifier });
  return bound && usableTerminal(bound);
}

const boundBy = sql('activate-terminal.boundBy')`
  select terminal_id, is_active from pos_terminal
  where device_identifier = $deviceIdentifier and activation_code = $code and activation_used_at is not null`;

/** Lets another device try the code. Nothing happens where the code was used, or is reserved for another device now. */
export const giveCodeBack = (em: EntityManager, terminalId: number, deviceIdentifier: string) =>
  giveBack.run(em, { terminalId, deviceIdentifier });

const giveBack = sql('activate-terminal.giveBack')`
  update pos_terminal set code_claimed_by = null
  where terminal_id = $terminalId and code_claimed_by = $deviceIdentifier`;

/**
 * Binds a device to the terminal of an activation code and uses the code up (spec 3.4, 4.2). A device bound elsewhere
 * moves: one device is one terminal.
 *
 * Of concurrent devices one gets the code: the others wait for its row and then find it used. The same device may ask
 * again, even concurrently.
 *
 * Refused with: 404 unknown or used code · 400 terminal disabled, the code stays usable.
 *
 * @returns the terminal's id
 */
export async function activateTerminal(
  em: EntityManager,
  { activationCode, deviceIdentifier }: Activation,
): Promise<number> {
  return transact(em, async (tx) => {
    await takeTurns(tx, deviceIdentifier);
    const before = await activatedBefore(tx, { activationCode, deviceIdentifier });
    if (before !== undefined) return before;
    const row = await lockCode.first(tx, { code: canonicalCode(activationCode), deviceIdentifier });
    const terminalId = usableTerminal(row);
    await releaseElsewhere(tx, deviceIdentifier, terminalId);
    if ((await bind.run(tx, { terminalId, deviceIdentifier })) === 0) throw activationCodeUnknown();
    return terminalId;
  });
}

const lockCode = sql('activate-terminal.lockCode')`
  select terminal_id, is_active from pos_terminal
  where activation_code = $code and activation_used_at is null and ${isFreeFor} for update`;

const bind = sql('activate-terminal.bind')`
  update pos_terminal set device_identifier = $deviceIdentifier, released_device_identifier = null,
    activation_used_at = now(), code_claimed_by = null, updated_at = now()
  where terminal_id = $terminalId and activation_used_at is null and is_active`;

/**
 * Two concurrent bindings of one device run one after the other, before any row is locked: the later one finds the
 * earlier.
 */
export const takeTurns = (em: EntityManager, deviceIdentifier: string) =>
  lockAdvisory(em, `device ${deviceIdentifier}`);

/** Unbinds the device's former terminal, which tells the device so if it still asks there. */
export const releaseElsewhere = (em: EntityManager, deviceIdentifier: string, terminalId: number) =>
  releaseOthers.run(em, { deviceIdentifier, terminalId });

const releaseOthers = sql('activate-terminal.releaseOthers')`
  update pos_terminal
  set released_device_identifier = device_identifier, device_identifier = null, updated_at = now()
  where device_identifier = $deviceIdentifier and terminal_id <> $terminalId`;

/** The other terminal that a device is bound to. */
export const findElsewhere = (em: EntityManager, device: string, terminalId: number) =>
  boundElsewhere.first(em, { device, terminalId });

const boundElsewhere = sql('activate-terminal.boundElsewhere')`
  select terminal_id from pos_terminal where device_identifier = $device and terminal_id <> $terminalId`;

/** The license of a terminal; undefined without one, and for an unknown terminal. */
export const findLicense = (em: EntityManager, terminalId: number): Promise<LicenseFacts | undefined> =>
  selectTerminal.first(em, { terminalId });

const selectTerminal = sql('activate-terminal.selectTerminal')`
  select l.license_status as status, l.license_type as type, l.expires_at
  from pos_terminal t join pos_license l using (license_id) where t.terminal_id = $terminalId`;

/**
 * The license with a key of the license service. A new one is free and permits nothing until the service says more
 * (our choice). Safe to repeat: a key is one license.
 *
 * @returns the license's id
 */
export async function licenseOfKey(em: EntityManager, licenseKey: string): Promise<number> {
  await open.run(em, { licenseKey });
  const license = await selectLicenseByKey.first(em, { licenseKey });
  if (!license) throw new Error('a license was saved and is not there');
  return license.licenseId;
}

const open = sql('activate-terminal.open')`
  insert into pos_license (license_key, license_type) values ($licenseKey, 'free')
    on conflict (license_key) do nothing`;

const selectLicenseByKey = sql('activate-terminal.selectLicenseByKey')`
  select license_id from pos_license where license_key = $licenseKey`;

/**
 * Notes that the license service is asked about a license now, if it is due: a day after an answer, an hour after none.
 * Of any number at once one is told to ask. Whoever dies over it leaves it to the next day.
 *
 * @returns whether the caller is to ask
 */
export const claimLicenseCheck = async (em: EntityManager, licenseId: number): Promise<boolean> =>
  (await licenseRowsClaim.run(em, { licenseId })) === 1;

const licenseRowsClaim = sql('activate-terminal.licenseRowsClaim')`
  update pos_license set last_upstream_check_at = clock_timestamp()
  where license_id = $licenseId and license_key is not null
    and coalesce(last_upstream_check_at, created_at) < now()
      - case when last_upstream_check_succeeded then interval '1 day' else interval '1 hour' end`;
