import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** The tax classes of goods. */
export const readProductTaxClasses = (em: EntityManager) => taxClasses.all(em);

const taxClasses = statement({
  takes: {},
  gives: { taxClassId: integer, name: text },
  text: `
    select class_id as tax_class_id, class_name as name from tax_class where class_type = 'PRODUCT' order by 1`,
});
