import { z } from 'zod';
import type { Variable, Variables } from './read-config.js';
import type { ValuesMeta } from './variable-kinds.js';

/** A row of docs/configuration.md. */
export type VariableDescription = {
  readonly name: string;
  readonly description: string;
  /** Which texts it takes; empty where its schema does not say. */
  readonly values: string;
  readonly required: boolean;
  /** As it would be set; absent where there is none. */
  readonly defaultText?: string;
  readonly secret: 'no' | NonNullable<ValuesMeta['secret']>;
};

export function describeVariables(variables: Variables): readonly VariableDescription[] {
  return Object.values(variables)
    .map(describeVariable)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function describeVariable({ name, schema, description }: Variable): VariableDescription {
  const { kind, defaultText, optional } = unwrapped(schema);
  const meta = kind.meta() as Partial<ValuesMeta> | undefined;
  return {
    name,
    description,
    values: meta?.values ?? valuesOf(kind),
    required: !optional && defaultText === undefined,
    ...(defaultText !== undefined && { defaultText }),
    secret: meta?.secret ?? 'no',
  };
}

type Unwrapped = {
  readonly kind: z.ZodType;
  readonly defaultText?: string;
  readonly optional: boolean;
};

function unwrapped(schema: z.ZodType): Unwrapped {
  if (schema instanceof z.ZodDefault) {
    const inner = unwrapped(schema.unwrap() as z.ZodType);
    return { ...inner, defaultText: String(schema.def.defaultValue) };
  }
  if (schema instanceof z.ZodOptional) return { ...unwrapped(schema.unwrap() as z.ZodType), optional: true };
  return { kind: schema, optional: false };
}

function valuesOf(kind: z.ZodType): string {
  if (kind instanceof z.ZodEnum) return kind.options.map((option) => `\`${option}\``).join(', ');
  return kind instanceof z.ZodString ? 'text' : '';
}
