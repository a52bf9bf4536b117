import type { Mutant } from './mutant.ts';

/**
 * What must not happen quietly: a device past its code, a cart with its shop, credit abroad, a date, a day, a handback.
 */
export const counterMutants: readonly Mutant[] = [
  {
    id: 'W01',
    mistake: 'a device registers itself past the codes a shop requires',
    patches: [
      {
        file: 'api/terminals/terminals.ts',
        find: 'if (input.deviceIdentifier && (await requiresCode(em, input.locationId ?? null))) throw codeRequired();',
        replace: 'void requiresCode; void codeRequired;',
      },
    ],
    killedBy: ['test/api/terminals/bind-device.test.ts'],
  },
  {
    id: 'W02',
    mistake: 'a location takes its parked carts along',
    patches: [
      {
        file: 'db/locations/delete-location.ts',
        find: '`delete from pos_location where location_id = $locationId`',
        replace:
          '`with c as (delete from pos_held_cart where location_id = $locationId) delete from pos_location where location_id = $locationId`',
      },
    ],
    killedBy: ['test/api/held-carts/held-carts.test.ts'],
    named: '^(?:recall cart) ',
  },
  {
    id: 'W03',
    mistake: 'a wallet is opened on any website',
    patches: [
      {
        file: 'db/store-credit/add-entry.ts',
        find: 'and (s.website_id = c.website_id or $isBooking)',
        replace: 'and (true or $isBooking::boolean)',
      },
    ],
    killedBy: ['test/api/store-credit/refused-adjustments.test.ts'],
    named: '^(?:refused adjustments) ',
  },
  {
    id: 'W04',
    mistake: 'a layaway is dated although it came with a moment of its own',
    patches: [
      {
        file: 'db/layaways/read-layaway.ts',
        find: 'o.pos_layaway_expires_at is null and ',
        replace: '',
      },
    ],
    killedBy: ['test/api/layaways/layaways.test.ts'],
    named: '^(?:date layaway) ',
  },
  {
    id: 'W05',
    mistake: 'a batch from a register whose clock is wrong counts again with each repeat',
    patches: [
      {
        file: 'db/telemetry/store-events.ts',
        find: 'digestOf((await byRegisterClock(batch)) ?? columns)',
        replace: 'digestOf(columns)',
      },
    ],
    killedBy: ['test/api/telemetry/telemetry.test.ts'],
    named: '^(?:telemetry) ',
  },
  {
    id: 'W06',
    mistake: 'a preview for store credit has the money go back by the tender too',
    patches: [
      {
        file: 'api/refunds/preview-refund.ts',
        find: "body.channel === 'store_credit' ? { base: zero, order: zero } : preview.handback",
        replace: 'preview.handback',
      },
    ],
    killedBy: ['test/api/refunds/refunds.test.ts'],
    named: '^(?:preview refund|preview equals settlement) ',
  },
  {
    id: 'W07',
    mistake: 'a cart has a name for each spelling of its UUID',
    patches: [
      {
        file: 'db/held-carts/hold-cart.ts',
        find: "where cart_key = ${cartKeyOf('$cartUuid::text')}",
        replace: 'where cart_uuid = $cartUuid',
      },
    ],
    killedBy: ['test/api/held-carts/held-carts.test.ts'],
    named: '^(?:hold cart) ',
  },
  {
    id: 'R02',
    mistake: 'a cart is free again, whoever posts it',
    patches: [
      { file: 'db/held-carts/hold-cart.ts', find: `where (\${isClaimants}) is not true`, replace: 'where false' },
    ],
    killedBy: ['test/api/held-carts/held-carts.test.ts'],
    named: '^(?:recall cart) ',
  },
  {
    id: 'R02b',
    mistake: 'a post that began before the recall frees the cart',
    patches: [
      { file: 'db/held-carts/hold-cart.ts', find: 'pos_held_cart.recalled_at < now() and (', replace: 'true and (' },
    ],
    killedBy: ['test/api/held-carts/held-carts.test.ts'],
    named: '^(?:park anew) ',
  },
  {
    id: 'D11b',
    mistake: 'the database lets anybody free a claimed cart',
    sql: `create or replace function pos_held_cart_stays_claimed() returns trigger language plpgsql as $$
     begin
       if new.recalled_at is null then return new; end if;
       raise exception 'held cart % is claimed', old.held_cart_id;
     end $$`,
    killedBy: ['test/api/held-carts/held-carts.test.ts'],
    named: '^(?:recall cart) ',
  },
  {
    id: 'D11c',
    mistake: 'a new fixed tax leaves the registers their old configuration',
    sql: 'drop trigger pos_fixed_tax_attribute_changed on product_attribute',
    killedBy: ['test/db/configuration/config-version.test.ts'],
  },
];
