import type { EntityManager } from '@mikro-orm/postgresql';
import { createAdminUser } from '../../db/platform/access/create-admin-user.ts';
import { Customer } from '../../db/platform/customers/customer.entity.ts';
import { createCustomer } from '../../db/platform/customers/save-customer.ts';
import { StoreView } from '../../db/platform/stores/store-view.entity.ts';
import { everyResource } from '../../domain/platform/access/acl.ts';
import type { AddressDraft } from '../../domain/platform/customers/customer-draft.ts';
import { credentials } from './credentials.ts';
import { passwordHashes } from './password-hashes.ts';

const groupIds = { General: 1, Wholesale: 2 } as const;

const homes: Record<'default' | 'ca' | 'eu_de', AddressDraft> = {
  default: {
    street: ['8 Ferry Street'],
    city: 'Troy',
    regionId: 43,
    postcode: '12180',
    countryId: 'US',
    telephone: '+1 518 555 0188',
  },
  ca: {
    street: ['21 Queen Street'],
    city: 'Niagara Falls',
    regionId: 74,
    postcode: 'L2E 2L1',
    countryId: 'CA',
    telephone: '+1 905 555 0121',
  },
  eu_de: {
    street: ['Lindenweg 3'],
    city: 'Berlin',
    regionId: 82,
    postcode: '10119',
    countryId: 'DE',
    telephone: '+49 30 5550133',
  },
};

/** The administrator and the customers, who can sign in with the passwords of `credentials`. */
export async function seedPeople(em: EntityManager): Promise<void> {
  const { username, email, password } = credentials.admin;
  await createAdminUser(em, {
    username,
    email,
    firstName: 'Ada',
    lastName: 'Admin',
    passwordHash: passwordHashes[password],
    resources: [everyResource],
  });
  await Promise.all(credentials.customers.map((customer) => seedCustomer(em.fork(), customer)));
}

async function seedCustomer(
  em: EntityManager,
  { name, email, password, group, store }: (typeof credentials.customers)[number],
): Promise<void> {
  const { storeId, websiteId } = await em.findOneOrFail(StoreView, { code: store });
  if ((await em.count(Customer, { email, websiteId })) > 0) return;
  const [firstname = '', lastname = ''] = name.split(' ');
  const home = { ...homes[store], firstname, lastname, isDefaultBilling: true, isDefaultShipping: true };
  await createCustomer(em, {
    draft: { email, firstname, lastname, groupId: groupIds[group], addresses: [home] },
    currentStoreId: storeId,
    passwordHash: passwordHashes[password],
  });
}
