import { routes } from '../../../api/routes.ts';
import { registerResources } from '../../../domain/platform/access.ts';
import { pointsOn } from '../../support/builders/points.ts';
import type { Flow } from '../../support/flow.ts';
import { wholeShop } from '../hostile/whole-shop.ts';
import type { Canaries } from './canaries.ts';
import { cardNumbers } from './card-numbers.ts';
import { aBuyer, aCashier, anAdministrator, aTill, type Place } from './people.ts';
import { aLayaway, anOnlineReturn, aSaleAndReturn, giftCards } from './sales.ts';
import { aTeller } from './teller.ts';

/**
 * Runs a day in which every secret is used as it is meant to be: sold, returned, signed in, looked up, refused. All of
 * it through the public routes, but for what only an operator can do. In the end every reader reads all it may.
 */
export async function businessDay({ api, shop }: Flow, canaries: Canaries) {
  const teller = aTeller(api);
  const place: Place = { api, canaries, teller, locationId: shop.locationId };
  await pointsOn(api.orm.em.fork());
  const terminalId = await aTill(place);
  await aCashier(place);
  await anAdministrator(place);
  const till = { ...place, terminalId, customerId: await aBuyer(place) };
  const cards = await giftCards(till);
  const { orderId, rmaId } = await aSaleAndReturn(till, cards);
  const layawayId = await aLayaway(till, cards);
  await anOnlineReturn(till);
  const cardsTaken = await cardNumbers(till, { ...till, orderId, rmaId });
  await readEverything(place);
  return { answers: teller.answers, rmaId, layawayId, cardsTaken };
}

/** Every list and every record, as a register where it may, with everything its search shows. */
async function readEverything({ api, teller, locationId }: Place): Promise<void> {
  const shop = await wholeShop(api, { locationId });
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const { path, token } = await shop.sampleOf(route);
    const isRegisters = token === api.tokens.admin && registerResources.some((one) => one === route.acl);
    const query = 'searchCriteria[pageSize]=100&from=2020-01-01&to=2030-01-01&stockId=1&skus[]=MUG';
    await teller.call('GET', `${path}?${query}`, undefined, isRegisters ? api.tokens.register : token);
  }
}
