import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../providers/settings.ts';
import type { Tokens } from './prepare/examples.ts';
import { writeStateFile } from './state-file.ts';

/** The addresses of all parts, for tools. A part that we did not start and no setting names is null. */
export interface Ready extends Tokens {
  api: string;
  openapi: string;
  docs: string;
  temporal: string;
  temporalNamespace: string;
  temporalUi: string | null;
  gateway: string;
  license: string;
  webhooks: string;
  mail: string | null;
  database: string;
  metrics: string;
  /** Settings of the service that its addresses do not show. */
  settings: Record<string, string>;
}

/** Settings that the operator's tool needs and cannot read in another shell. */
const shownNames = [
  'TEMPORAL_TASK_QUEUE',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_TLS_CA',
  'SMTP_URL',
  'MAIL_FROM',
  'REFUND_ALERT_EMAIL',
  'REFUND_ALERT_AFTER_MINUTES',
  'REFUND_ESCALATION_EMAIL',
  'RETURNS_SERVICE_URL',
  'WEBHOOKS_TO_PRIVATE_NETWORKS',
] as const satisfies readonly (keyof Settings)[];

/** As variables, without secrets. */
export const shownSettings = (settings: Settings): Ready['settings'] =>
  Object.fromEntries(
    shownNames.flatMap((name) => {
      const value = settings[name];
      return value === undefined
        ? []
        : [[name, name.endsWith('_URL') ? withoutPassword(String(value)) : String(value)]];
    }),
  );

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

const fileIn = (dataDir: string) => join(dataDir, 'ready.json');

/** Written when every part answers; it contains tokens, so only the owner may read it. */
export const writeReadyFile = (dataDir: string, ready: Ready) =>
  writeStateFile(fileIn(dataDir), `${JSON.stringify(ready, null, 2)}\n`);

export const removeReadyFile = (dataDir: string) => rmSync(fileIn(dataDir), { force: true });
