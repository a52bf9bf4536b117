import type { Scenario } from '../scenario.ts';

const categoryCount = 1_000;
/** Below 2, the default shop's: twenty departments of forty-nine categories each. */
const departments = 20;

/** A storefront that fetches all categories of a shop. */
export const listCategories: Scenario = {
  name: 'category list of 1,000',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  request: () => ({
    method: 'GET',
    path: `/V1/categories/list?searchCriteria[pageSize]=${categoryCount}&searchCriteria[currentPage]=1`,
  }),
  async prepare({ execute }) {
    await execute(`
      with made as (
        select n, nextval(pg_get_serial_sequence('category', 'entity_id'))::int as id from generate_series(1, ${categoryCount}) n
      ), placed as (
        select m.id, m.n, d.id as department from made m left join made d on d.n = m.n % ${departments} + 1 and m.n > ${departments}
      )
      insert into category (entity_id, parent_id, path, level, position, name, custom_attributes)
      select id, coalesce(department, 2), '1/2/' || coalesce(department || '/', '') || id,
        case when department is null then 2 else 3 end, n, 'Category ' || n,
        jsonb_build_object('url_key', 'category-' || n, 'is_anchor', '1', 'description', repeat('Fine goods. ', 6))
      from placed`);
    await execute('analyze category');
  },
  subjectOf: () => 0,
};

/** An importer that asks how an attribute of the shop's own is entered. */
export const readAttribute: Scenario = {
  name: 'attribute read',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  request: () => ({ method: 'GET', path: '/V1/products/attributes/colour' }),
  async prepare({ send }) {
    const attribute = { attribute_code: 'colour', frontend_input: 'text', default_frontend_label: 'Colour' };
    await send({ method: 'POST', path: '/V1/products/attributes', body: { attribute } });
  },
  subjectOf: () => 0,
};
