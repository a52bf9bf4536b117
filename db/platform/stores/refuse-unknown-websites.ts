import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidValue } from '../../../domain/errors.ts';
import { integers } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Website } from './website.entity.ts';

/** 400 for a website that is not there, or that the list has twice, as the platform's tables refuse it. */
export async function refuseUnknownWebsites(em: EntityManager, fieldName: string, ids: readonly number[]) {
  const found = await find.all(em, { ids });
  const wrong = ids.find((id, at) => ids.indexOf(id) !== at || !found.some(({ websiteId }) => websiteId === id));
  if (wrong !== undefined) throw invalidValue(fieldName, wrong);
}

const find = statement({
  takes: { ids: integers },
  gives: of(Website, 'websiteId'),
  text: 'select website_id from website where website_id > 0 and website_id = any($ids)',
});
