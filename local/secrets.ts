import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createIntegrationToken } from '../db/platform/access/create-integration-token.ts';
import { findTokenHolder } from '../db/platform/access/find-token-holder.ts';
import { writeStateFile } from './state-file.ts';
import { everyResource, registerResources } from '../domain/platform/access/acl.ts';

const keyBytes = 32;

export interface Tokens {
  adminToken: string;
  registerToken: string;
}

/** The key that provider keys are encrypted with: made once, or nothing encrypted before could be read again. */
export function keepSecretKey(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  if (!existsSync(file)) writeStateFile(file, randomBytes(keyBytes).toString('base64'));
  return readFileSync(file, 'utf8').trim();
}

/**
 * The two tokens of a local shop: one that may do everything, one with what a register needs. Made once and kept; made
 * anew when the database does not know them, as after a reset of only one of the two.
 */
export async function keepTokens(em: EntityManager, dataDir: string): Promise<Tokens> {
  const file = join(dataDir, 'tokens.json');
  const kept = existsSync(file) ? readTokens(file) : undefined;
  if (kept && (await isKnown(em, kept.adminToken)) && (await isKnown(em, kept.registerToken))) return kept;
  const admin = await createIntegrationToken(em, { name: 'Local administrator', resources: [everyResource] });
  const register = await createIntegrationToken(em, { name: 'Local register', resources: registerResources });
  const tokens = { adminToken: admin.token, registerToken: register.token };
  writeStateFile(file, `${JSON.stringify(tokens, null, 2)}\n`);
  return tokens;
}

function readTokens(file: string): Tokens | undefined {
  try {
    const { adminToken, registerToken } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof adminToken === 'string' && typeof registerToken === 'string'
      ? { adminToken, registerToken }
      : undefined;
  } catch {
    return undefined;
  }
}

const isKnown = async (em: EntityManager, token: string) =>
  (await findTokenHolder(em, token, new Date())) !== undefined;
