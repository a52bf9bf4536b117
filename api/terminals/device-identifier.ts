import { invalid } from '../../domain/errors.ts';
import { isDeviceIdentifier } from '../../domain/terminals/formats.ts';

/** Refused with: 400 for anything but 1 to 100 letters, digits and hyphens (spec 8). */
export function checkDeviceIdentifier(deviceIdentifier: string): void {
  if (!isDeviceIdentifier(deviceIdentifier)) throw invalid('Invalid device identifier format.');
}
