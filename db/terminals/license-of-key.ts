import type { EntityManager } from '@mikro-orm/postgresql';
import { text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { License } from './license.entity.ts';

/**
 * The license with a key of the license service. A new one is free and permits nothing until the service says more
 * (our choice). Safe to repeat: a key is one license.
 *
 * @returns the license's id
 */
export async function licenseOfKey(em: EntityManager, licenseKey: string): Promise<number> {
  await open.run(em, { licenseKey });
  const license = await find.first(em, { licenseKey });
  if (!license) throw new Error('a license was saved and is not there');
  return license.licenseId;
}

const open = statement({
  takes: { licenseKey: text },
  text: `
    insert into pos_license (license_key, license_type) values ($licenseKey, 'free') on conflict (license_key) do nothing`,
});

const find = statement({
  takes: { licenseKey: text },
  gives: of(License, 'licenseId'),
  text: 'select license_id from pos_license where license_key = $licenseKey',
});
