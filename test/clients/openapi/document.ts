import { writeFileSync } from 'node:fs';
import { openApiOf } from '../../../api/http/openapi/document.ts';
import { routes } from '../../../api/routes.ts';

/** Writes the API document to the file that is named: `node test/clients/openapi/document.ts FILE`. */
const [, , file] = process.argv;
if (file === undefined) throw new Error('name the file to write');
writeFileSync(file, JSON.stringify(openApiOf(routes, { title: 'Point of sale', version: '1.3.0' })));
