import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { userTypes } from './access-token.entity.ts';

/** Failed token requests per user name and type: six lock for half an hour (platform facts 1.3). */
export const TokenThrottle = defineEntity({
  name: 'TokenThrottle',
  tableName: 'token_throttle',
  properties: {
    throttleId: p.integer().primary().autoincrement(),
    userName: p.string().length(255),
    userType: p.enum(userTypes),
    failures: p.integer().default(0),
    lockedUntil: p.datetime(6).nullable(),
    lastFailedAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [{ name: 'token_throttle_once_per_user', properties: ['userName', 'userType'] }],
});

export type TokenThrottle = InferEntity<typeof TokenThrottle>;
