import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';

/** Sends a text with its values, in the caller's transaction where there is one; refusals are the ORM's own exceptions. */
export async function send<Row>(em: EntityManager, text: string, values: readonly unknown[]) {
  try {
    return await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  } catch (error) {
    throw error instanceof Error ? em.getPlatform().getExceptionConverter().convertException(error) : error;
  }
}
