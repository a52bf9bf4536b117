import type { EntityManager } from '@mikro-orm/postgresql';
import { canonicalResource } from '../../domain/platform/access/acl.ts';
import type { Said, ShopFields } from '../../domain/shop/shop-records.ts';
import { AdminUser } from '../platform/access/admin-user.entity.ts';
import { given } from '../support/given.ts';

/** Existing administrators get the rights of the file. None is created here, and none is removed. */
export const administrators = {
  async save(
    em: EntityManager,
    { name: username, fields }: { name: string; fields: Said<ShopFields['administrator']> },
  ): Promise<void> {
    const { resources, ...plain } = fields;
    const user = await em.findOneOrFail(AdminUser, { username });
    em.assign(user, given({ ...plain, resources: resources?.map(canonicalResource) }));
    await em.flush();
  },
};
