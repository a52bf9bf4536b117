import { hash } from 'node:crypto';
import { moduleVersion } from '../../domain/configuration/module-version.ts';

/**
 * What a register compares to know that its configuration changed (spec 6.3): made of the counters that triggers keep,
 * so it costs the same however much there is to configure. A new release changes it too, for its new keys, and so does
 * what is installed: a deployment may bring a service without any setting.
 */
export const configHash = ({ versions, installed }: { versions: string; installed: string }) =>
  hash('sha256', `${moduleVersion} ${versions} ${installed}`).slice(0, 32);
