import { findKind } from '../../../db/content/read-content.ts';
import { noSuchEntity, notPermitted } from '../../../domain/errors.ts';
import type { RouteContext } from '../../http/route.ts';
import { typeOf } from '../content-type.ts';

/**
 * A caller who schedules content must also be allowed to publish it: the resource for schedules alone is not enough.
 *
 * Refused with: 404 unknown content · 401 without the resource of its type.
 */
export async function refuseToSchedule({ em, caller }: Pick<RouteContext, 'em' | 'caller'>, contentId: number) {
  const kind = await findKind(em, contentId);
  if (kind === undefined) throw noSuchEntity('contentId', contentId);
  const { write } = typeOf(kind);
  if (!caller.can(write)) throw notPermitted([write]);
}
