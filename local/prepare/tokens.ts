import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { createIntegrationToken } from '../../db/platform/access/create-integration-token.ts';
import { findTokenHolder } from '../../db/platform/access/find-token-holder.ts';
import { everyResource, registerResources, setUpResources } from '../../domain/platform/access/acl.ts';
import { writeStateFile } from '../state-file.ts';

export interface Tokens {
  adminToken: string;
  registerToken: string;
  /** Activates a device, which the register's own token must not do. */
  setUpToken: string;
}

const holders = {
  adminToken: { name: 'Local administrator', resources: [everyResource] },
  registerToken: { name: 'Local register', resources: registerResources },
  setUpToken: { name: 'Local set-up', resources: setUpResources },
} as const;

/**
 * The tokens of a local shop: one for everything, one for a register's daily work, and one for setting a register up.
 * Each is made once and kept. It is made again when the database does not know it, as after a reset of only one of
 * the two.
 */
export async function keepTokens(em: EntityManager, dataDir: string): Promise<Tokens> {
  const file = join(dataDir, 'tokens.json');
  const kept = existsSync(file) ? readTokens(file) : {};
  const tokenOf = async (key: keyof Tokens) => {
    const token = kept[key];
    return token !== undefined && (await isKnown(em, token))
      ? token
      : (await createIntegrationToken(em, holders[key])).token;
  };
  const tokens = {
    adminToken: await tokenOf('adminToken'),
    registerToken: await tokenOf('registerToken'),
    setUpToken: await tokenOf('setUpToken'),
  };
  writeStateFile(file, `${JSON.stringify(tokens, null, 2)}\n`);
  return tokens;
}

const tokensInFile = z.object({
  adminToken: z.string().optional(),
  registerToken: z.string().optional(),
  setUpToken: z.string().optional(),
});

/** An older file lacks some of them; an unreadable one has none. */
function readTokens(file: string): z.output<typeof tokensInFile> {
  try {
    return tokensInFile.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? {};
  } catch {
    return {};
  }
}

const isKnown = async (em: EntityManager, token: string) =>
  (await findTokenHolder(em, token, new Date())) !== undefined;
