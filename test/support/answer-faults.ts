import { isJson, type Json } from '../../api/http/openapi/json.ts';
import { documentSchemas } from './document-schemas.ts';
import type { SeenAnswer } from './seen-answers.ts';

const jsonType = 'application/json';

/** How answers differ from what the API document says of them, a sentence each; empty where they do not. */
export function answerFaults(document: Json, answers: readonly SeenAnswer[]): string[] {
  const schemas = documentSchemas(document);
  const paths = Object.keys(partOf(document, ['paths']));
  const named = new Map(paths.map((path) => [path.replaceAll(/\{\w+\}/g, ':'), path]));

  const faultOf = ({ method, path, status, type, text }: SeenAnswer): string | undefined => {
    const operation = ['paths', named.get(path.replaceAll(/:\w+/g, ':')) ?? path, method.toLowerCase()];
    const place = [...operation, 'responses', String(status), 'content', jsonType, 'schema'];
    const schema = partOf(document, place);
    if (Object.keys(partOf(document, operation)).length === 0) return 'is not in the document';
    if (Object.keys(partOf(document, place.slice(0, -3))).length === 0) return 'has a status that the document lacks';
    if (type !== jsonType) return `is ${type === '' ? 'of no type' : type}, and not JSON`;
    const isText = 'contentSchema' in schema;
    const body: unknown = JSON.parse(text);
    if (isText && typeof body !== 'string') return 'is not a text with JSON in it';
    const check = schemas.at(isText ? [...place, 'contentSchema'] : place);
    if (!check) return 'has no schema in the document';
    const isGood = check(isText ? JSON.parse(String(body)) : body);
    return isGood === true ? undefined : schemas.says(check.errors, 'the answer');
  };
  const faults = answers.flatMap((answer) => {
    const fault = faultOf(answer);
    return fault === undefined ? [] : [`${answer.method} ${answer.path} ${answer.status}: ${fault}`];
  });
  return [...new Set(faults)].toSorted();
}

const partOf = (document: Json, place: readonly string[]): Json =>
  place.reduce<Json>((part, key) => {
    const inner = part[key];
    return isJson(inner) ? inner : {};
  }, document);
