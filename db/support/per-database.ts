import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Something a process has one of for each database it is connected to, made when it is first asked for.
 *
 * What is made lives as long as the connection. It gets an entity manager of its own, outside any transaction.
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
