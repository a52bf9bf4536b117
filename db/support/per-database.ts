import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * One object per connected database in a process, made at the first request.
 *
 * It lives as long as the connection. It gets a separate entity manager, outside any transaction.
 */
export function perDatabase<Thing>(make: (em: EntityManager) => Thing): (em: EntityManager) => Thing {
  const things = new WeakMap<object, Thing>();
  return (em) => {
    const connection = em.getConnection();
    const known = things.get(connection);
    if (known !== undefined) return known;
    const thing = make(em.fork({ clear: true }));
    things.set(connection, thing);
    return thing;
  };
}
