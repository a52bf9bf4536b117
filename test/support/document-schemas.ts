import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { Json } from '../../api/http/openapi/json.ts';

export interface DocumentSchemas {
  /** The check of the schema at a place of the document; undefined where there is none. */
  at(place: readonly string[]): ValidateFunction | undefined;
  /** What was wrong, in one sentence. */
  says(errors: ErrorObject[] | null | undefined, dataVar: string): string;
}

/** Checks values by the schemas of an API document, as tools for OpenAPI do. */
export function documentSchemas(document: Json): DocumentSchemas {
  // The document has keywords of OpenAPI besides those of JSON Schema. Most schemas check one value: quick to make
  // counts.
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } });
  ajvFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'document' });
  return {
    at: (place) => ajv.getSchema(`document#${pointerOf(place)}`),
    says: (errors, dataVar) => ajv.errorsText(errors, { dataVar }),
  };
}

const pointerOf = (place: readonly string[]) =>
  place.map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
