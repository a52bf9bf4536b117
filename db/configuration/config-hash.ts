import { hash } from 'node:crypto';
import { moduleVersion } from '../../domain/configuration/setting-defaults.ts';

/**
 * Registers compare it to learn that their configuration changed (spec 6.3). It is made of counters that triggers
 * keep, so its cost does not depend on the number of settings. A new release changes it too, for its new keys, and so
 * does a newly installed service, which may have no setting.
 */
export const configHash = ({ versions, installed }: { versions: string; installed: string }) =>
  hash('sha256', `${moduleVersion} ${versions} ${installed}`).slice(0, 32);
