import { ENGINE_VERSION as WORKFLOW_ENGINE_VERSION } from '@palimpsest/workflow';

/** Versions of the protocol and of what it lets a client negotiate (host specification §1.2). */
export const PROTOCOL_VERSION = '1.0';
export const ENGINE_VERSION = Number(WORKFLOW_ENGINE_VERSION);
export const EVENT_LOG_SCHEMA_VERSION = 1;

/** What `X-Force-Engine-Version` may ask for. */
export const ENGINE_VERSIONS = { min: 1, max: ENGINE_VERSION } as const;
