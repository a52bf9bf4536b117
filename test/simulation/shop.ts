import { Location } from '../../db/locations/location.entity.ts';
import type { Lane } from '../crash/lane.ts';

/** Further places of the shop, which share its shelves. */
export async function moreLocations({ orm }: Lane, count: number): Promise<number[]> {
  const em = orm.em.fork();
  const made = Array.from({ length: count }, (_, index) =>
    em.create(Location, {
      name: `Place ${index + 2}`,
      code: `place-${index + 2}`,
      websiteId: 1,
      sourceCode: 'floor',
      damagedStockSourceCode: 'damaged',
    }),
  );
  await em.flush();
  return made.map(({ locationId }) => locationId);
}
