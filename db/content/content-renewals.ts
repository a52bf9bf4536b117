import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, text } from '../support/kinds.ts';
import { of, rowOf } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { ContentRenewal } from './content-renewal.entity.ts';
import { countPlaces, everything } from './render-places.ts';

export type RenewalRow = RowFrom<typeof read>['renewal'];

/**
 * Has a worker render all content that contains a block. A run in progress continues from its place and comes to the
 * first places afterwards. Otherwise the last places of a frequently changed block would never be rendered.
 */
export async function beginRenewal(
  tx: EntityManager,
  block: { identifier: string; isRemoval: boolean },
): Promise<void> {
  await begin.run(tx, { ...block, places: await countPlaces(tx, block.identifier) });
}

/**
 * Has a worker render all content with directives, because settings or views of the shop changed.
 *
 * @returns the number of places; nothing is started where there are none
 */
export async function beginRenewalOfEverything(tx: EntityManager): Promise<number> {
  const places = await countPlaces(tx, everything);
  if (places > 0) await begin.run(tx, { identifier: everything, isRemoval: false, places });
  return places;
}

/** Records that all places of a block are up to date and need no rendering. */
export async function endRenewal(tx: EntityManager, identifier: string): Promise<void> {
  await end.run(tx, { identifier });
}

/** The progress of rendering a block's places; undefined where there were few, or where it ended long ago. */
export const findRenewal = async (em: EntityManager, identifier: string): Promise<RenewalRow | undefined> =>
  (await read.first(em, { identifier }))?.renewal;

/** Unfinished renewals, the newest first. */
export const findOpenRenewals = async (em: EntityManager, { limit }: { limit: number }): Promise<number[]> =>
  (await readOpen.all(em, { limit })).map(({ renewalId }) => renewalId);

/** Unfinished renewals without progress for a minute. */
export const findUnfollowedRenewals = async (em: EntityManager, { limit }: { limit: number }): Promise<number[]> =>
  (await readUnfollowed.all(em, { limit })).map(({ renewalId }) => renewalId);

const renewal = rowOf(ContentRenewal, 'r');

const begin = statement({
  takes: { identifier: text, isRemoval: flag, places: integer },
  text: `
    insert into content_renewal (identifier, is_removal, places)
    values ($identifier, $isRemoval, $places)
    on conflict (identifier) do update set places = excluded.places, rendered = 0, failed = 0, failures = '[]',
      rendered_up_to = case when content_renewal.finished_at is null then content_renewal.rendered_up_to else 0 end,
      until = case when content_renewal.finished_at is null then content_renewal.rendered_up_to else 0 end,
      is_removal = excluded.is_removal or (content_renewal.is_removal and content_renewal.finished_at is null),
      started_at = now(), finished_at = null, updated_at = now()`,
});

const end = statement({
  takes: { identifier: text },
  text: 'delete from content_renewal where identifier = $identifier',
});

const read = statement({
  takes: { identifier: text },
  gives: { renewal },
  text: `select ${renewal.columns} from content_renewal r where r.identifier = $identifier`,
});

const readOpen = statement({
  takes: { limit: integer },
  gives: of(ContentRenewal, 'renewalId'),
  text: 'select renewal_id from content_renewal where finished_at is null order by updated_at desc limit $limit',
});

const readUnfollowed = statement({
  takes: { limit: integer },
  gives: of(ContentRenewal, 'renewalId'),
  text: `select renewal_id from content_renewal
    where finished_at is null and updated_at < now() - interval '1 minute' order by updated_at limit $limit`,
});
