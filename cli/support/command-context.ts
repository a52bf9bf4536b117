import type { EntityManager } from '@mikro-orm/postgresql';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import type { Settings } from '../../providers/settings.ts';
import type { ReadyFile } from './ready-file.ts';

/** The dependencies of every command. Connections are opened at their first use. */
export interface CommandContext {
  settings: Settings;
  ready: ReadyFile | undefined;
  em: () => Promise<EntityManager>;
  workflows: () => Promise<Workflows>;
  /** Encrypts and decrypts provider keys. */
  secrets: () => SecretBox;
  now: () => Date;
}
