import type { EntityManager } from '@mikro-orm/postgresql';
import type { Workflows } from '../../api/temporal/workflows.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import type { Settings } from '../../providers/settings.ts';
import type { ReadyFile } from './ready-file.ts';

/** What every command is given. Connections are made when a command first asks for one. */
export interface Surroundings {
  settings: Settings;
  ready: ReadyFile | undefined;
  em: () => Promise<EntityManager>;
  workflows: () => Promise<Workflows>;
  /** Opens and seals provider keys. */
  secrets: () => SecretBox;
  now: () => Date;
}
