import { afterAll, beforeAll, expect } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { readSearchCriteria } from '../../../api/wire/criteria.ts';
import { search, type Searchable } from '../../../db/support/search.ts';
import { PosError } from '../../../domain/errors.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

export let orm: MikroORM;

/** A table of shelves to search. */
export function fillsTheShelves(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    await write(`
    create table shelf (
      shelf_id serial primary key, code text not null, label text, price numeric(20,4) not null, tags text,
      sites jsonb not null, is_open boolean not null, built_at timestamptz not null,
        secret text not null default 'hidden')`);
    await write(`
    insert into shelf (code, label, price, tags, sites, is_open, built_at) values
      ('A-1', 'Oak shelf', 12.5, 'wood,old', '[1]', true, '2026-01-01 10:00:00+00'),
      ('A-2', 'oak table', 100, 'wood', '[1,2]', false, '2026-01-02 10:00:00+00'),
      ('B-1', null, 7, null, '[2]', true, '2026-01-03 10:00:00.654321+00'),
      ('B-2', '50% off_now\\', 33.3333, 'new,Glass', '[]', true, '2026-01-04 10:00:00+00')`);
  });
  afterAll(() => orm.close());
}

const { fork, write } = booksOf(() => orm);

export const shelves: Searchable = {
  table: 'shelf',
  columns: 'shelf_id, code',
  fields: {
    shelf_id: { column: 'shelf_id', type: 'integer' },
    code: { column: 'code', type: 'code' },
    label: { column: 'label', type: 'text', isNullable: true },
    price: { column: 'price', type: 'decimal' },
    tags: { column: 'tags', type: 'text', isNullable: true },
    site: { column: 'array(select jsonb_array_elements_text(sites))', type: 'set' },
    is_open: { column: 'is_open', type: 'boolean' },
    built_at: { column: 'built_at', type: 'timestamp' },
  },
  order: 'shelf_id',
};

interface Shelf {
  shelf_id: number;
  code: string;
}

export const find = async (criteria: object, searchable: Searchable = shelves) =>
  search<Shelf>(fork(), readSearchCriteria(criteria), searchable);

export const codes = async (...groups: readonly (readonly [string, string | null, string?][])[]) => {
  const { rows: found, totalCount } = await find({
    filterGroups: groups.map((group) => ({
      filters: group.map(([field, value, conditionType]) => ({ field, value, conditionType })),
    })),
  });
  expect(totalCount).toBe(found.length);
  return found.map(({ code }) => code).join(' ');
};

export const refusal = async (criteria: object, searchable?: Searchable) => {
  const thrown: unknown = await find(criteria, searchable).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(PosError);
  return (thrown as PosError).refusal;
};
