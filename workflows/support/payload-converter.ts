import {
  defaultPayloadConverter,
  type Payload,
  type PayloadConverter,
  type SerializationContext,
} from '@temporalio/common';

/**
 * Reads what workflows are sent. Text that is no JSON, as a person types it, is read as that text: a workflow whose
 * message cannot be read would stand still for ever, and so would every later message.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value, context, hint) => defaultPayloadConverter.toPayload(value, context, hint),
  fromPayload<Value>(payload: Payload, context?: SerializationContext): Value {
    try {
      return defaultPayloadConverter.fromPayload<Value>(payload, context);
    } catch {
      return new TextDecoder().decode(payload.data ?? new Uint8Array()) as Value;
    }
  },
};
