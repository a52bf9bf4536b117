// Medusa's command line works in the folder it is called from: this one.
process.chdir(__dirname);
require('@medusajs/cli/cli.js');
