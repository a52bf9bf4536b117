import type { EntityManager } from '@mikro-orm/postgresql';
import { locationNotFound } from '../../domain/refusals/register.ts';
import { Location } from '../locations/location.entity.ts';
import { transact } from '../support/transact.ts';
import { Drawer } from './register-session.entity.ts';

/** Adds a drawer that terminals of a location share. Each call adds one more. Refused with 404 for an unknown location. */
export const addDrawer = (
  em: EntityManager,
  { locationId, name }: Pick<Drawer, 'locationId' | 'name'>,
): Promise<Drawer> =>
  transact(em, async (tx) => {
    if ((await tx.count(Location, { locationId })) === 0) throw locationNotFound([locationId]);
    const drawer = tx.create(Drawer, { locationId, name: name.trim(), lastNumber: 0 });
    await tx.flush();
    return drawer;
  });
