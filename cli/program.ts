import { Argument, Command, Option } from 'commander';
import { addPoints } from './add-points.ts';
import { createGiftCard } from './create-gift-card.ts';
import { createIntegration } from './create-integration.ts';
import { createToken } from './create-token.ts';
import { eraseCustomerData, exportCustomer } from './customer-data.ts';
import { addEventCommands } from './events.ts';
import { explained, explainMoney, type Explained } from './explain-money.ts';
import { giveLicense } from './give-license.ts';
import { listTokens } from './list-tokens.ts';
import { giveBackSpending } from './give-back-spending.ts';
import { loadPrices } from './load-prices.ts';
import { markBooksRestored } from './mark-books-restored.ts';
import { receiptsWithoutOrder } from './receipts-without-order.ts';
import { reconcileRefund } from './reconcile-refund.ts';
import { resolveRefund } from './resolve-refund.ts';
import { revokeToken } from './revoke-token.ts';
import { recordMove } from './record-move.ts';
import { endRestore } from './end-restore.ts';
import { addSettingsCommands } from './settings-commands.ts';
import { addShopCommands } from './shop-commands.ts';
import { uncertainRefunds } from './uncertain-refunds.ts';
import { verifyBooks } from './verify-books.ts';
import type { ProgramParts } from './program-parts.ts';

/** Every command of the operator's tool; those of settings and of the shop's set-up stand in files of their own. */
export function createProgram({ answer }: ProgramParts): Command {
  const program = new Command('pos')
    .description('Commands for operators of the shop.')
    .option('--json', 'answer for scripts')
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  const group = (name: string, summary: string) => program.command(name).description(summary);
  const mayDo = 'what it may do: Vendor_Pos::locations,Vendor_Pos::receipts,… or register, or all';
  const onWebsite = new Option('--website <code>', 'for one website');

  program
    .command('doctor')
    .description('check every dependency and setting, one line each, with the fix')
    .action(() => answer(async (shop) => (await import('./doctor.ts')).doctor(shop)));
  program
    .command('verify')
    .description('check every rule of the books; exit code 1 when one is broken')
    .option('--keep', 'keep what it found for the page /ops: for a run each night')
    .action(({ keep = false }: { keep?: boolean }) => answer((shop) => verifyBooks(shop, { keep })));
  program
    .command('explain')
    .description('the story of an order, a return or a refund, in plain words')
    .addArgument(new Argument('<what>').choices(explained))
    .argument('<id>', 'an id, a number such as 000000042, or a workflow id')
    .action((what: Explained, id: string) => answer((shop) => explainMoney(shop, what, id)));

  group('temporal', 'the Temporal server')
    .command('set-up')
    .description(
      'make what API and worker need on a server of your own: namespace, search attributes, 30 days of history',
    )
    .action(() => answer(async (shop) => (await import('./set-up-temporal.ts')).setUpTemporal(shop)));

  const token = group('token', 'tokens of integrations, such as registers');
  token
    .command('create')
    .description('make a token and show it once')
    .requiredOption('--name <name>', 'the integration')
    .requiredOption('--acl <resources>', mayDo)
    .action((options: { name: string; acl: string }) => answer((shop) => createToken(shop, options)));
  token
    .command('list')
    .description('integrations, their resources, how many tokens are valid')
    .action(() => answer(listTokens));
  token
    .command('revoke <name-or-id>')
    .description('end every token of an integration at once, including those for signing')
    .action((given: string) => answer((shop) => revokeToken(shop, given)));

  group('integration', 'systems that sign their requests, as clients of the platform do (OAuth 1.0a)')
    .command('create')
    .description('make the four values to sign with and show them once')
    .requiredOption('--name <name>', 'the integration')
    .requiredOption('--acl <resources>', mayDo)
    .action((options: { name: string; acl: string }) => answer((shop) => createIntegration(shop, options)));

  const refunds = group('refunds', 'refunds through gateways');
  refunds
    .command('uncertain')
    .description('refunds without a known end, oldest first')
    .action(() => answer(uncertainRefunds));
  refunds
    .command('reconcile <id>')
    .description('ask the gateway again')
    .action((id: string) => answer((shop) => reconcileRefund(shop, id)));
  refunds
    .command('resolve <id>')
    .argument('<resolution>', 'refunded or not_refunded')
    .description('record whether the money went back')
    .requiredOption('--staff <name>', 'who says so')
    .requiredOption('--note <text>', 'how you know')
    .action((id: string, resolution: string, options: { staff: string; note: string }) =>
      answer((shop) => resolveRefund(shop, id, resolution, options)),
    );

  group('receipts', 'receipts of registers')
    .command('without-order')
    .description('sales that have a receipt and no order, oldest first')
    .action(() => answer(receiptsWithoutOrder));

  const restored = group('restored', 'after the database was restored, copied or moved; with the worker stopped');
  restored
    .command('mark')
    .description('from an older backup, or a copy: nothing that was under way is sent from it')
    .action(() => answer(markBooksRestored));
  restored
    .command('moved')
    .description('moved as a whole: nothing is missing')
    .action(() => answer(recordMove));
  restored
    .command('give-back <spending>')
    .description('no order has a held spending: its provider gives the credit back')
    .action((id: string) => answer((shop) => giveBackSpending(shop, id)));
  restored
    .command('over')
    .description('the books are complete again: gateways are no longer asked before each refund')
    .action(() => answer(endRestore));

  addEventCommands(program, { answer });
  addShopCommands(program, { answer });
  addSettingsCommands(program, { answer });

  group('license', 'licenses of registers')
    .command('grant')
    .description('give a register a license, or take it away')
    .requiredOption('--terminal <id-or-name>', 'the register')
    .requiredOption('--type <type>', 'pro or none')
    .option('--key <key>', 'the key of the license at the license service')
    .action((options: { terminal: string; type: string; key?: string }) =>
      answer((shop) => giveLicense(shop, options)),
    );
  const customer = group('customer', 'what the shop knows about a customer');
  customer
    .command('export <email-or-id>')
    .description('all of it as JSON, without secrets')
    .action((who: string) => answer((shop) => exportCustomer(shop, who)));
  customer
    .command('erase <email-or-id>')
    .description('names, addresses and contacts go; orders and receipts stay. It cannot be undone')
    .action((who: string) => answer((shop) => eraseCustomerData(shop, who)));
  group('giftcard', 'gift cards')
    .command('create')
    .description('issue a gift card; without a code one is made and shown once')
    .requiredOption('--amount <amount>', 'in the base currency of the website')
    .option('--code <code>', 'at most 64 characters')
    .addOption(onWebsite)
    .option('--expires <day>', 'the last day it is valid, such as 2030-12-31')
    .action((options: Parameters<typeof createGiftCard>[1]) => answer((shop) => createGiftCard(shop, options)));
  group('points', 'reward points')
    .command('add')
    .description('give a customer points; below zero, take some away')
    .requiredOption('--customer <id>', 'the customer')
    .requiredOption('--points <number>', 'a whole number')
    .addOption(onWebsite)
    .option('--reason <text>', 'for the history')
    .action((options: Parameters<typeof addPoints>[1]) => answer((shop) => addPoints(shop, options)));
  group('prices', 'contract prices of customers')
    .command('load <file>')
    .description('load a CSV file with the columns customer, sku, qty and price, all or nothing')
    .addOption(onWebsite)
    .option('--replace', 'delete other contract prices of the customers in the file')
    .action((file: string, options: Parameters<typeof loadPrices>[2]) =>
      answer((shop) => loadPrices(shop, file, options)),
    );
  return program;
}
