import type { EntityManager } from '@mikro-orm/postgresql';
import { alreadyExists } from '../../../domain/refusals/platform.ts';
import { refuseTaken } from '../../support/refuse-taken.ts';
import { sql } from '../../support/sql.ts';

/** Those classes that exist, held until the transaction ends: a deletion waits, and then finds who names them. */
export const holdTaxClasses = (em: EntityManager, classIds: readonly number[]) => holdClasses.all(em, { classIds });

/** Those rates that exist, held in the same way. */
export const holdTaxRates = async (em: EntityManager, rateIds: readonly number[]): Promise<number[]> =>
  (await holdRates.all(em, { rateIds })).map(({ rateId }) => rateId);

const holdClasses = sql('lock-tax-rows.holdClasses')`
  select class_id, class_type from tax_class where class_id = any($classIds::bigint[])
  order by class_id for key share`;

const holdRates = sql('lock-tax-rows.holdRates')`
  select rate_id from tax_rate where rate_id = any($rateIds::bigint[]) order by rate_id for key share`;

/** The refusal of a rate or rule whose code is taken. */
export const codeIsTaken = () => alreadyExists(['Code']);

/** Refuses with 400 where the code of a rate or rule is taken. */
export const refusingTakenCodes = <Result>(save: () => Promise<Result>): Promise<Result> =>
  refuseTaken(save, codeIsTaken);
