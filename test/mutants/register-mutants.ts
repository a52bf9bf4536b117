import type { Mutant } from './mutant.ts';

const carts = 'test/api/held-carts/held-carts.test.ts';
const staff = 'test/db/staff/login-attempts.test.ts';
const receipts = 'test/db/receipts/claim-receipt.test.ts';
const terminals = 'test/db/terminals/terminals.test.ts';
const guards = 'test/books/verify/verify.test.ts';

/** A guard of the database itself that was dropped. */
const dropped = (id: string, name: string, sql: string, killedBy: readonly string[] = [guards]): Mutant => ({
  id,
  mistake: `the database no longer keeps ${name}`,
  sql,
  killedBy,
  named: 'a day whose books are right',
});

const index = (id: string, name: string): Mutant =>
  dropped(
    id,
    name,
    `do $$ begin
       execute coalesce((select format('alter table %s drop constraint %I cascade', conrelid::regclass, conname)
         from pg_constraint where conname = '${name}'), 'drop index if exists ${name}');
     end $$`,
  );

/** What the registers do beside money: carts, terminals, people, receipts, telemetry. */
export const registerMutants: readonly Mutant[] = [
  {
    id: 'R01',
    mistake: 'a recall does not look whether the cart was recalled before',
    patches: [
      {
        file: 'db/held-carts/hold-cart.ts',
        find: 'where held_cart_id = $heldCartId and recalled_at is null',
        replace: 'where held_cart_id = $heldCartId',
      },
    ],
    killedBy: [carts],
  },
  {
    id: 'R03',
    mistake: 'an activation code is looked at and then used, without a lock',
    patches: [
      {
        file: 'db/terminals/activate-terminal.ts',
        find: 'isFreeFor} for update`',
        replace: 'isFreeFor}`',
      },
      {
        file: 'db/terminals/activate-terminal.ts',
        find: 'where terminal_id = $terminalId and activation_used_at is null and is_active`',
        replace: 'where terminal_id = $terminalId`',
      },
    ],
    killedBy: [terminals],
  },
  {
    id: 'R04',
    mistake: 'a used activation code works again',
    patches: [
      {
        file: 'db/terminals/activate-terminal.ts',
        find: 'where activation_code = $code and activation_used_at is null and ${isFreeFor} for update`',
        replace: 'where activation_code = $code and ${isFreeFor} for update`',
      },
      {
        file: 'db/terminals/activate-terminal.ts',
        find: 'where terminal_id = $terminalId and activation_used_at is null and is_active`',
        replace: 'where terminal_id = $terminalId`',
      },
    ],
    killedBy: [terminals],
  },
  {
    id: 'R05',
    mistake: 'a guess during the cooldown is looked at',
    patches: [
      {
        file: 'db/staff/login-attempts.ts',
        find: 'or f.blocked_until is null or f.blocked_until <= now()`',
        replace: 'or true`',
      },
    ],
    killedBy: [staff],
  },
  {
    id: 'R06',
    mistake: 'the ladder has a rung too many',
    patches: [
      {
        file: 'domain/staff.ts',
        find: '{ failures: 3, cooldownSeconds: 15 }',
        replace: '{ failures: 4, cooldownSeconds: 15 }',
      },
    ],
    killedBy: ['test/domain/staff/staff.test.ts'],
    named: '^(?:lockout) ',
  },
  {
    id: 'R07',
    mistake: 'a success does not forget the failures before it',
    patches: [
      {
        file: 'db/staff/sessions.ts',
        find: 'where email_digest = $emailDigest)',
        replace: 'where email_digest = $emailDigest and false)',
      },
    ],
    killedBy: [staff, 'test/api/staff/save-staff.test.ts'],
  },
  {
    id: 'R08',
    mistake: 'a session’s token is stored as it is',
    patches: [
      {
        file: 'db/staff/sessions.ts',
        find: `createHash('sha256').update(token).digest('hex')`,
        replace: `(createHash('sha256') && token)`,
      },
    ],
    killedBy: [staff],
  },
  {
    id: 'R09',
    mistake: 'an unknown address is answered without hashing anything',
    patches: [
      {
        file: 'api/http/check-passcode.ts',
        find: 'return await providers.passwords.verify(guess.passcode, guess.hash ?? null);',
        replace: 'return guess.hash !== undefined && (await providers.passwords.verify(guess.passcode, guess.hash));',
      },
    ],
    killedBy: ['test/api/staff/save-staff.test.ts'],
    named: '^(?:authenticate staff) ',
  },
  {
    id: 'R10',
    mistake: 'attempts that a limit refused are counted',
    patches: [
      {
        file: 'db/support/rate-limit.ts',
        find: 'if (counted < buckets.length) throw new BucketFull();',
        replace: 'if (counted < buckets.length) return;',
      },
    ],
    killedBy: [staff],
  },
  {
    id: 'R15',
    mistake: 'a receipt sent again is written over',
    patches: [
      {
        file: 'db/receipts/save-receipt.ts',
        find: 'if (orderIncrementId && known.orderIncrementId === null)',
        replace: 'if (orderIncrementId)',
      },
      {
        file: 'db/receipts/save-receipt.ts',
        find: 'known?.orderIncrementId ?? input.fields.orderIncrementId',
        replace: 'input.fields.orderIncrementId ?? known?.order_increment_id',
      },
    ],
    killedBy: [receipts, 'test/api/receipts/receipts.test.ts'],
  },
  {
    id: 'R16',
    mistake: 'card data in what a terminal printed is stored',
    patches: [
      {
        file: 'api/returns/settle-return.ts',
        find: 'refuseCardData(rawPayload);',
        replace: 'void refuseCardData;',
      },
    ],
    killedBy: ['test/api/returns/chosen-goods.test.ts'],
    named: '^(?:returns) ',
  },
  {
    id: 'R17',
    mistake: 'a route asks for a resource everybody has',
    patches: [
      { file: 'api/returns/settle-return.ts', find: `acl: 'Vendor_Pos::locations'`, replace: `acl: 'anonymous'` },
    ],
    killedBy: ['test/house/routes.test.ts'],
  },
  {
    id: 'R18',
    mistake: 'a total passes over rows that are not committed yet',
    patches: [
      {
        file: 'db/support/count-growing.ts',
        find: `\${written} >= now() - interval '1 hour'`,
        replace: `\${written} >= now() + interval '1 hour'`,
      },
    ],
    killedBy: ['test/db/support/kept-rows.test.ts'],
    named: '^(?:growing count) ',
  },
  index('D01', 'pos_held_cart_cart_key_unique'),
  index('D02', 'sales_money_in_reference_once'),
  index('D03', 'sale_return_pos_sale_id_unique'),
  index('D04', 'refund_attempt_one_open_per_return'),
  index('D05', 'refund_attempt_gateway_reference_once'),
  index('D06', 'pos_receipt_pos_order_id_unique'),
  index('D07', 'store_credit_entry_key_once'),
  index('D08', 'sale_return_movement_once'),
  index('D09', 'sales_creditmemo_refund_attempt_id_unique'),
  index('D18', 'sales_order_pos_sale_id_once'),
  dropped('D10', 'receipts as they are', 'drop trigger pos_receipt_frozen on pos_receipt'),
  dropped('D19', 'a claimed receipt claimed', 'drop trigger pos_receipt_stays_claimed on pos_receipt'),
  dropped('D11', 'a claimed cart claimed', 'drop trigger pos_held_cart_stays_claimed on pos_held_cart'),
  dropped(
    'D12',
    'the ledger and its balance together',
    'drop trigger store_credit_wallet_is_booked on store_credit_wallet',
  ),
  dropped('D13', 'an order from being overpaid', 'alter table sales_order drop constraint sales_order_never_overpaid'),
  dropped(
    'D14',
    'a shelf from going below zero',
    'alter table inventory_source_item drop constraint inventory_source_item_not_negative',
  ),
];
