import { p } from '@mikro-orm/core';

/** The suffix of a row's id in outside names: the installation's key and a random part. */
export const nameTailColumn = () => p.string().length(64).defaultRaw('new_name_tail()');

/** The outside name of a row, from its name such as `refund-attempt-17` and its suffix. */
export const outsideName = (name: string, nameTail: string): string => `${name}-${nameTail}`;
