import type { Scenario } from '../scenario.ts';

/** A register that fetches the catalog: a hundred products and their total. */
export const listProducts: Scenario = {
  name: 'product list of 100',
  loads: [{ connections: 16, atLeast: null }],
  request: () => ({ method: 'GET', path: '/V1/products?searchCriteria[pageSize]=100&searchCriteria[currentPage]=1' }),
  subjectOf: () => 0,
};
