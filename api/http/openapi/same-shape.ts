import { isJson, propertiesOf, requiredOf, type Json } from './json.ts';

/**
 * One shape for what is read and what is sent, as the platform documents its records. A key only in answers is
 * `readOnly`, one only in requests `writeOnly`. A key is required when both require it. When the types differ, the
 * answer's type counts: what is answered can be sent back.
 */
export function sameShape(answered: Json, sent: Json): Json {
  const [read, written] = [propertiesOf(answered), propertiesOf(sent)];
  // A key that requests may have, but that is ignored and never answered, is left out.
  const names = [...new Set([...Object.keys(read), ...Object.keys(written)])].filter(
    (name) => name in read || !isEmptySchema(written[name] ?? {}),
  );
  const isLoose = answered['additionalProperties'] !== undefined;
  const properties = names.map((name) => [name, keyOf(read[name], written[name], isLoose)] as const);
  const required = requiredOf(answered).filter((name) => requiredOf(sent).includes(name));
  const { required: _answered, additionalProperties: _more, ...rest } = answered;
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** @param isLoose whether answers may have more keys than the named ones */
function keyOf(read: Json | undefined, sent: Json | undefined, isLoose: boolean): Json {
  if (read === undefined) return isLoose ? { ...sent } : { ...sent, writeOnly: true };
  if (isEmptySchema(read)) return read;
  // An ignored key may be sent back, so it is described as an answer's key.
  if (sent === undefined || isEmptySchema(sent)) return { ...read, readOnly: true };
  return withSameParts(read, sent);
}

export const isEmptySchema = ({ description: _text, ...rest }: Json) => Object.keys(rest).length === 0;

function withSameParts(read: Json, sent: Json): Json {
  const [one, other] = [read['items'], sent['items']];
  if (isJson(one) && isJson(other)) return { ...sent, ...read, items: withSameParts(one, other) };
  if (isJson(read['properties']) && isJson(sent['properties'])) return sameShape(read, sent);
  const { type: _type, enum: _values, required: _required, format: _format, ...limits } = sent;
  const isAlike = JSON.stringify(read['type']) === JSON.stringify(sent['type']);
  return isAlike ? { ...limits, ...read } : read;
}
