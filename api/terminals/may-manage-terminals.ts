import type { Caller } from '../http/route.ts';

/** Only these callers see activation codes (our choice). */
export const mayManageTerminals = (caller: Caller) => caller.can('Vendor_Pos::locations_manage');
