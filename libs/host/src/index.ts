export { processEnvironment, type Environment } from './config/environment.js';
export { ConfigurationError, type ConfigurationProblem } from './config/configuration-error.js';
export { readConfig, variable, type ConfigOf, type Variables } from './config/read-config.js';
export { connectionUrl, secret, wholeNumber } from './config/variable-kinds.js';
export { readCliTargetConfig, type CliTargetConfig } from './config/cli-config.js';
export { describeVariables, type VariableDescription } from './config/describe-variables.js';
export {
  PROCESS_VARIABLES,
  gatewayLimitsOf,
  maxBudgetsOf,
  readAllInOneConfig,
  readArtifactStoreConfig,
  readAssemblerConfig,
  readGatewayConfig,
  readMigrateConfig,
  readOrchestratorConfig,
  readRegistryConfig,
  readReplayConfig,
  readRunLogConfig,
  readSummarizerConfig,
  type AllInOneConfig,
  type ArtifactStoreConfig,
  type AssemblerConfig,
  type GatewayConfig,
  type MigrateConfig,
  type OrchestratorConfig,
  type RegistryConfig,
  type RunLogConfig,
  type SummarizerConfig,
} from './config/app-configs.js';
export { modelConfigOf, modelRule, modelVariables, type ModelConfig } from './config/model-config.js';
export { summarizerModelOf, summaryPlansOf } from './config/summarizer-config.js';
export { contextDefaultsOf } from './config/host-context.js';
export { createLogger, type LoggerOptions } from './logging/create-logger.js';
export { nestLogger } from './logging/nest-logger.js';
export { hostKeyOf, signatureCheckOf, type HostKey } from './keys/ed25519-keys.js';
export { keptHostKey, readHostKey } from './keys/host-key-files.js';
export { createIdSource } from './process/id-source.js';
export { shutDownOnSignal, type ShutdownOptions, type SignalSource } from './process/graceful-shutdown.js';
export { runProcess } from './process/run-process.js';
export { runService, type RunningService, type ServiceOptions } from './process/run-service.js';
export {
  createReadiness,
  type Readiness,
  type ReadinessCheck,
  type ReadinessReport,
} from './health/readiness.js';
export { startHealthListener, type HealthListener } from './health/health-listener.js';
