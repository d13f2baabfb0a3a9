import { isFields, type JsonSchema } from './json-schema.js';

type Parameter = { readonly name: string; readonly in: string; readonly schema: JsonSchema };

/** One operation of the served document, as this suite reads it. */
export type Operation = {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly secured: boolean;
  readonly scopes: readonly string[];
  /** Seams look at the scopes last. */
  readonly scopesLast?: boolean;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly Parameter[];
  readonly headerParameters: readonly Parameter[];
  readonly body?: { readonly schema: JsonSchema; readonly required: boolean };
  readonly streams: boolean;
  /** Error codes by the status that the document lists them at. */
  readonly errors: ReadonlyMap<number, readonly string[]>;
};

type ResponseObject = { readonly description?: string; readonly content?: Readonly<Record<string, unknown>> };

type OperationObject = {
  readonly operationId: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  readonly responses: Readonly<Record<string, ResponseObject>>;
};

export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** Every operation that a document describes, in its order. */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => isFields(item[method])).map((method) =>
      operationOf(method.toUpperCase(), path, item[method] as OperationObject),
    ),
  );
}

function operationOf(method: string, path: string, described: OperationObject): Operation {
  const parameters = described.parameters ?? [];
  const body = described.requestBody;
  const schema = body?.content['application/json']?.schema;
  const responses = Object.entries(described.responses);
  return {
    id: described.operationId,
    method,
    path,
    secured: described.security?.length !== 0,
    scopes: scopesOf(described.description ?? ''),
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    queryParameters: parameters.filter((each) => each.in === 'query'),
    headerParameters: parameters.filter((each) => each.in === 'header'),
    ...(schema && { body: { schema, required: body?.required === true } }),
    streams: responses.some(([, { content = {} }]) => 'text/event-stream' in content),
    errors: new Map(
      responses
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { description = '' }]) => [Number(status), description.split(', ')]),
    ),
  };
}

function scopesOf(description: string): readonly string[] {
  return /Scopes of the key: ([^.]*)\./.exec(description)?.[1]?.split(', ') ?? [];
}

/** What `Allow` says at a path (a GET serves HEAD, too). */
export function methodsAt(operations: readonly Operation[], path: string): readonly string[] {
  const methods = operations.filter((each) => each.path === path).map(({ method }) => method);
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort();
}
