import { z } from 'zod';

/** A tool call id or tool name: no NUL, no lone surrogate (ids are refused, texts are repaired). */
const wellFormed = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');
const idText = z
  .string()
  .min(1)
  .max(256)
  .refine(wellFormed, 'must be well-formed Unicode without NUL')
  .refine((text) => text !== '__proto__', 'is reserved');

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() });
const refusalPart = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });
/** Kinds that this version cannot count (images, audio, files): they parse, and are refused as `unsupported_content`. */
const otherPart = z.looseObject({
  type: z
    .string()
    .refine((type) => type !== 'text' && type !== 'refusal', 'a text part has to have its text'),
});
const content = z.union([z.string(), z.array(z.union([textPart, refusalPart, otherPart])).max(4096)]);

export const toolCallSchema = z.strictObject({
  id: idText,
  type: z.literal('function').default('function'),
  function: z.strictObject({ name: idText, arguments: z.string() }),
});

/** OpenAI chat messages, as `POST /v1/runs/{runId}/turns` takes them. */
export const chatMessageSchema = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content, name: idText.optional() }),
  z.strictObject({ role: z.literal('developer'), content, name: idText.optional() }),
  z.strictObject({ role: z.literal('user'), content, name: idText.optional() }),
  z.strictObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    refusal: z.string().nullish(),
    name: idText.optional(),
    tool_calls: z.array(toolCallSchema).max(1024).nullish(),
  }),
  z.strictObject({ role: z.literal('tool'), content, tool_call_id: idText, name: idText.optional() }),
]);

export type ChatMessageInput = z.infer<typeof chatMessageSchema>;
