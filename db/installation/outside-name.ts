import { p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { text } from '../support/entity-columns.ts';
import { statement } from '../support/statement.ts';

/** The suffix of a row's id in outside names: the installation's key and a random part. */
export const nameTailColumn = () => p.string().length(64).defaultRaw('new_name_tail()');

/** The outside name of a row, from its name such as `refund-attempt-17` and its suffix. */
export const outsideName = (name: string, nameTail: string): string => `${name}-${nameTail}`;

/** A suffix for something without a row of its own. */
export async function newNameTail(em: EntityManager): Promise<string> {
  const row = await draw.first(em);
  if (row === undefined) throw new Error('the database made no name');
  return row.nameTail;
}

const draw = statement({ takes: {}, gives: { nameTail: text }, text: 'select new_name_tail() as name_tail' });
