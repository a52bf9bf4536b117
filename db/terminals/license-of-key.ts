import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * The license that the license service knows by a key. One that nobody had yet is free, and allows nothing, until the
 * service has been asked and says more (our choice). Safe to repeat: a key is one license.
 *
 * @returns the license's id
 */
export async function licenseOfKey(em: EntityManager, licenseKey: string): Promise<number> {
  await em.execute(
    `insert into pos_license (license_key, license_type) values (?, 'free') on conflict (license_key) do nothing`,
    [licenseKey],
  );
  const [license] = await em.execute<{ license_id: number }[]>(
    'select license_id from pos_license where license_key = ?',
    [licenseKey],
  );
  if (!license) throw new Error('a license was saved and is not there');
  return license.license_id;
}
