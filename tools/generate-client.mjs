// The types of `@palimpsest/client`, made from the OpenAPI document of the gateway.
import openapiTS, { astToString } from 'openapi-typescript';
import { formatted } from './generated-files.mjs';

export const CLIENT_TYPES = 'libs/client/src/generated/api.ts';

const HEADER = `// Generated from the gateway's OpenAPI document, do not edit: \`npm run generate\`.
/* eslint-disable max-lines */
`;

/** @returns what the file {@link CLIENT_TYPES} has to hold for this OpenAPI document */
export async function clientTypes(document) {
  const types = await openapiTS(structuredClone(document), { alphabetize: true, immutable: true });
  return formatted(`${HEADER}\n${astToString(types)}`, CLIENT_TYPES);
}
