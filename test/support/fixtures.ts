import { afterAll, beforeAll, expect } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { testApi, type TestApi, type TestApiOptions } from './api.ts';
import { testDatabase } from './database.ts';

/**
 * What is opened in `beforeAll` and closed in `afterAll`, by a name that stands for it until then. Nothing of it can be
 * read while the tests are only being told.
 */
export function openedForTests<Opened extends object>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => Promise<void>,
): Opened {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened && close(opened));
  return new Proxy({} as Opened, {
    get: (_, key) => {
      if (!opened) throw new Error(`${String(key)} was read before beforeAll opened it.`);
      const value: unknown = Reflect.get(opened, key, opened);
      return typeof value === 'function' ? value.bind(opened) : value;
    },
  });
}

/** A database of its own for the tests of one block, closed at its end. */
export const useDatabase = (): MikroORM => openedForTests(testDatabase, (orm) => orm.close());

/** The whole API for the tests of one block, closed at its end. An error that nobody expected fails the block. */
export const useApi = (options?: TestApiOptions): TestApi =>
  openedForTests(
    () => testApi(options),
    async (api) => {
      await api.close();
      if (!options?.expectsFaults) expect(api.faults).toEqual([]);
    },
  );
