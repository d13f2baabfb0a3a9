export { GatewayModule } from './gateway.module.js';
export { createGatewayApp, drainRequests, type GatewayAppOptions } from './create-gateway-app.js';
export { type GatewayOptions, type GatewayPorts, type ReadinessReport } from './gateway-options.js';
export { type RunForks, type RunLogCommands, type WindowAssembler } from './ports.js';
export { type HostContext } from './domain/context-settings.js';
export { SCOPES, type Scope } from './domain/api-key.js';
export { createApiKey, revokeApiKey, type CreateApiKey } from './handlers/api-keys.js';
export { gatewayMigrations } from './store/migrations.js';
export { type GatewayTables } from './store/tables.js';
