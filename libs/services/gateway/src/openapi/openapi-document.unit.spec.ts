import { OPERATIONS, type Operation } from '../http/operations.js';
import { openApiDocument } from './openapi-document.js';

type Described = {
  readonly operationId: string;
  readonly parameters: { readonly name: string; readonly in: string }[];
  readonly responses: Record<string, { readonly headers?: object }>;
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
};

describe('the OpenAPI document', () => {
  const document = openApiDocument() as {
    openapi: string;
    paths: Record<string, Record<string, Described>>;
  };

  it('is 3.1 and describes every operation, once', () => {
    expect(document.openapi).toMatch(/^3\.[1-9]/);
    const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  it.each(Object.entries<Operation>(OPERATIONS))('describes %s as it is', (_name, operation) => {
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()];
    const inPath = described?.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => name);
    expect(inPath).toEqual([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(Object.keys(described?.responses ?? {})).toContain(String(operation.status));
    expect(described?.requestBody !== undefined).toBe(operation.body !== undefined);
  });

  it('names the headers of answers', () => {
    const headersOf = (path: string, method: string) =>
      Object.fromEntries(
        Object.entries(document.paths[path]?.[method]?.responses ?? {}).flatMap(([status, { headers }]) =>
          headers ? [[status, Object.keys(headers)]] : [],
        ),
      );
    const later = ['Retry-After'];
    expect(headersOf('/v1/runs', 'post')).toEqual({
      201: ['Location', 'openwop-Idempotent-Replay'],
      409: later,
      429: later,
      503: later,
    });
    expect(headersOf('/v1/runs/{runId}', 'get')).toEqual({ 200: ['ETag'], 429: later, 503: later });
  });

  it('refers to nothing but its components', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
    expect(new Set(references)).toEqual(new Set(['#/components/schemas/Error']));
  });

  it('asks nothing of another host', () => {
    expect(JSON.stringify(document)).not.toMatch(/https?:\/\/(?!json-schema)/);
  });
});
