import { Option, type Command } from 'commander';
import { getConfig } from './get-config.ts';
import { listConfig } from './list-config.ts';
import type { ProgramParts } from './program-parts.ts';
import { renderContentAnew } from './render-content.ts';
import { setConfig } from './set-config.ts';
import { setLogo } from './set-logo.ts';

/** Adds the commands for a merchant's settings and for showing them. */
export function addSettingsCommands(program: Command, { answer }: ProgramParts): void {
  const group = (name: string, summary: string) => program.command(name).description(summary);
  const onWebsite = new Option('--website <code>', 'for one website');
  const onStore = new Option('--store <code>', 'for one store view');

  group('receipt', 'receipts')
    .command('logo <file>')
    .description('the logo of receipts: a PNG of at most 500 kB and 1200 pixels each way')
    .addOption(onWebsite)
    .addOption(onStore)
    .action((file: string, options: object) => answer((shop) => setLogo(shop, file, options)));

  const config = group('config', 'merchant settings');
  config
    .command('list [prefix]')
    .description(
      'every setting, or those whose path begins so: its meaning, its default, and what is set for the whole shop',
    )
    .action((prefix: string | undefined) => answer((shop) => listConfig(shop, prefix)));
  config
    .command('get <path>')
    .description('the value, and its source')
    .addOption(onWebsite)
    .addOption(onStore)
    .action((path: string, options: object) => answer((shop) => getConfig(shop, path, options)));
  config
    .command('set <path> <value>')
    .description('set a value in one scope; config list names the paths')
    .addOption(onWebsite)
    .addOption(onStore)
    .option('--unread', 'also a path that nothing here reads')
    .action((path: string, value: string, options: object) => answer((shop) => setConfig(shop, path, value, options)));
  config
    .command('unset <path>')
    .description("take a scope's own value away")
    .addOption(onWebsite)
    .addOption(onStore)
    .action((path: string, options: object) => answer((shop) => setConfig(shop, path, null, options)));

  group('content', 'published content')
    .command('render')
    .description('render content with settings, addresses or blocks again, such as after adding a store view')
    .action(() => answer(renderContentAnew));
}
