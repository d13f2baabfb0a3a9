export { GatewayModule } from './gateway.module.js';
export { createGatewayApp, drainRequests, type GatewayAppOptions } from './create-gateway-app.js';
export {
  type EngineLimits,
  type GatewayOptions,
  type GatewayPorts,
  type HostClaims,
  type ReadinessReport,
} from './gateway-options.js';
export {
  type HostKey,
  type Registry,
  type RunForks,
  type RunLogCommands,
  type WindowAssembler,
} from './ports.js';
export { type HostContext } from './domain/context-settings.js';
export { SCOPES, type KeyKind, type Scope } from './domain/api-key.js';
export {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  type CreateApiKey,
  type MadeApiKey,
  type RotateApiKey,
  type RotatedApiKey,
} from './handlers/api-keys.js';
export { type RateLimitSettings } from './handlers/rate-limits.js';
export { type ListedApiKey } from './store/list-api-keys.js';
export { openApiDocument } from './openapi/openapi-document.js';
export { gatewayMigrations } from './store/migrations.js';
export { type GatewayTables } from './store/tables.js';
