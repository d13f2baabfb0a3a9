import type { JsonValue } from '@palimpsest/contracts';

/** What answers each subject of the bus; a module of requests gives its own. */
export type RequestHandlers = Readonly<Record<string, (body: JsonValue) => Promise<JsonValue>>>;
