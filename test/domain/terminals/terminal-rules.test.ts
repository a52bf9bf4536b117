import { describe, expect, test } from '@jest/globals';
import {
  canonicalCode,
  isActivationCode,
  isDeviceIdentifier,
  inactiveReason,
  effectiveStatus,
  isActivePro,
  type LicenseFacts,
} from '../../../domain/terminals.ts';

const now = new Date('2026-11-21T12:00:00Z');
const before = new Date('2026-11-21T11:59:59Z');
const after = new Date('2026-11-21T12:00:01Z');

describe('why a terminal is not active (spec 3.4)', () => {
  const active = { isActive: true, isBound: true, hasUnusedCode: false, licenseStatus: null };

  test.each([
    ['bound and switched on', active, null],
    ['with an active license', { ...active, licenseStatus: 'active' }, null],
    ['with an expired license, which is no reason', { ...active, licenseStatus: 'expired' }, null],
    ['with a revoked license', { ...active, licenseStatus: 'revoked' }, 'license_revoked'],
    ['switched off', { ...active, isActive: false }, 'deactivated'],
    ['switched off, its license revoked', { ...active, isActive: false, licenseStatus: 'revoked' }, 'license_revoked'],
    ['released, its license revoked', { ...active, isBound: false, licenseStatus: 'revoked' }, 'license_revoked'],
    [
      'given a new code, its license revoked',
      { ...active, isBound: false, hasUnusedCode: true, licenseStatus: 'revoked' },
      'code_regenerated',
    ],
    ['released by its device', { ...active, isBound: false }, 'deactivated'],
    ['given a new code', { ...active, isBound: false, hasUnusedCode: true }, 'code_regenerated'],
    ['bound, with a code made since', { ...active, hasUnusedCode: true }, null],
  ] as const)('%s', (_case, facts, reason) => {
    expect(inactiveReason(facts)).toBe(reason);
  });
});

describe('a license', () => {
  const pro: LicenseFacts = { status: 'active', type: 'pro', expiresAt: after };

  test.each([
    ['active PRO', pro, true],
    ['active PRO without an end', { ...pro, expiresAt: null }, true],
    ['PRO that has run out', { ...pro, expiresAt: before }, false],
    ['PRO that runs out this very moment', { ...pro, expiresAt: now }, false],
    ['revoked PRO', { ...pro, status: 'revoked' }, false],
    ['free', { ...pro, type: 'free' }, false],
    ['none', undefined, false],
  ] as const)('%s lets receipts in: %s', (_case, license, allowed) => {
    expect(isActivePro(license, now)).toBe(allowed);
  });

  test('that was revoked stays revoked after its last day', () => {
    expect(effectiveStatus({ status: 'revoked', expiresAt: before }, now)).toBe('revoked');
    expect(effectiveStatus({ status: 'active', expiresAt: before }, now)).toBe('expired');
  });
});

describe('formats of spec 8', () => {
  test.each(['ABCD', 'abcdefghijkl', '1234', 'a1B2c3'])('%s is an activation code', (code) => {
    expect(isActivationCode(code)).toBe(true);
  });
  test.each(['', 'ABC', 'ABCDEFGHIJKLM', 'ABC-1', 'ABCD\n', '١٢٣٤', 'ÄBCD'])('%j is none', (code) => {
    expect(isActivationCode(code)).toBe(false);
  });
  test.each(['a', '-', 'POS-1', 'x'.repeat(100)])('%s is a device identifier', (identifier) => {
    expect(isDeviceIdentifier(identifier)).toBe(true);
  });
  test.each(['', 'x'.repeat(101), 'a b', 'a_b', 'till\n', 'tïll', '１'])('%j is none', (identifier) => {
    expect(isDeviceIdentifier(identifier)).toBe(false);
  });
  test('codes are compared in capitals', () => {
    expect(canonicalCode('aB3d')).toBe('AB3D');
  });
});
