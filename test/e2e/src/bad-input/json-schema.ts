/** JSON Schema 2020-12, as far as the API's document uses it. */
export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
};

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const KNOWN = new Set<keyof JsonSchema>([
  'type',
  'const',
  'enum',
  'default',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'anyOf',
  'oneOf',
  'allOf',
  'title',
  'description',
  'format',
]);

/** Keywords that {@link accepts} would pass over: with one of them its answers mean nothing. */
export function unknownKeywords(schema: JsonSchema): readonly string[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...[schema.additionalProperties, schema.propertyNames, schema.items].filter(isSchema),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ];
  const own = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword as keyof JsonSchema));
  return [...new Set([...own, ...inner.flatMap(unknownKeywords)])];
}

function isSchema(schema: boolean | JsonSchema | undefined): schema is JsonSchema {
  return typeof schema === 'object';
}

/** Whether a value has the shape that the document promises to take. */
export function accepts(schema: JsonSchema, value: unknown): boolean {
  return (
    acceptsType(schema, value) &&
    (schema.const === undefined || schema.const === value) &&
    (schema.enum === undefined || schema.enum.includes(value)) &&
    acceptsParts(schema, value) &&
    acceptsContent(schema, value)
  );
}

function acceptsParts({ anyOf, oneOf, allOf = [] }: JsonSchema, value: unknown): boolean {
  return (
    (anyOf === undefined || anyOf.some((branch) => accepts(branch, value))) &&
    (oneOf === undefined || oneOf.filter((branch) => accepts(branch, value)).length === 1) &&
    allOf.every((branch) => accepts(branch, value))
  );
}

function acceptsContent(schema: JsonSchema, value: unknown): boolean {
  if (typeof value === 'string') return acceptsText(schema, value);
  if (typeof value === 'number') return acceptsNumber(schema, value);
  if (Array.isArray(value)) return acceptsItems(schema, value);
  return !isFields(value) || acceptsFields(schema, value);
}

function acceptsType({ type }: JsonSchema, value: unknown): boolean {
  const types = type === undefined ? [] : [type].flat();
  return types.length === 0 || types.some((each) => isOfType(each, value));
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isFields(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function acceptsText({ minLength = 0, maxLength = Infinity, pattern }: JsonSchema, text: string): boolean {
  // JSON Schema counts code points.
  const { length } = [...text];
  return length >= minLength && length <= maxLength && (pattern === undefined || matches(pattern, text));
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, 'u').test(text);
}

function acceptsNumber(schema: JsonSchema, value: number): boolean {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
  return (
    value >= minimum &&
    value <= maximum &&
    (value > exclusiveMinimum || exclusiveMinimum === -Infinity) &&
    (value < exclusiveMaximum || exclusiveMaximum === Infinity)
  );
}

function acceptsItems(
  { items, minItems = 0, maxItems = Infinity }: JsonSchema,
  list: readonly unknown[],
): boolean {
  if (list.length < minItems || list.length > maxItems) return false;
  return items === undefined || list.every((item) => accepts(items, item));
}

function acceptsFields(schema: JsonSchema, fields: Fields): boolean {
  if (!(schema.required ?? []).every((name) => Object.hasOwn(fields, name))) return false;
  return Object.entries(fields).every(([name, value]) => {
    const declared = propertyOf(schema, name);
    if (schema.propertyNames && !accepts(schema.propertyNames, name)) return false;
    if (declared) return accepts(declared, value);
    if (schema.additionalProperties === false) return false;
    return !isSchema(schema.additionalProperties) || accepts(schema.additionalProperties, value);
  });
}

export function propertyOf({ properties = {} }: JsonSchema, name: string): JsonSchema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
