import { p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * What follows a row's id wherever somebody outside has to know it: the installation's key and a part of its own, by
 * chance. Null: the row is from before names had one, and keeps the name it had.
 */
export const nameTailColumn = () => p.string().length(64).nullable().defaultRaw('new_name_tail()');

/** `refund-attempt-17` as it is called outside. */
export const outsideName = (name: string, nameTail: string | null | undefined): string =>
  nameTail == null ? name : `${name}-${nameTail}`;

/** A tail for what has no row of its own. */
export async function newNameTail(em: EntityManager): Promise<string> {
  const row = await draw.first(em);
  if (row === undefined) throw new Error('the database made no name');
  return row.nameTail;
}

const draw = statement({ takes: {}, gives: { nameTail: text }, text: 'select new_name_tail() as name_tail' });
