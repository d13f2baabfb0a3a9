import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import {
  ARTIFACT_STORE,
  CLOCK,
  EVENT_LOG,
  ID_SOURCE,
  LOGGER,
  MESSAGE_BUS,
  noRacePoints,
  systemClock,
  TOKEN_COUNTER,
} from '@palimpsest/kernel';
import { DiscoveryController } from './discovery/discovery.controller.js';
import {
  FIXTURE_IDS,
  GATEWAY_DATABASE,
  GATEWAY_OPTIONS,
  RACE_POINTS,
  READINESS,
  withDefaults,
  type GatewayOptions,
  type GatewayPorts,
} from './gateway-options.js';
import { AgentLoopSamples } from './handlers/agent-loop-samples.js';
import { AgentLoopStarts } from './handlers/agent-loop-starts.js';
import { AnswerInterrupts } from './handlers/answer-interrupts.js';
import { AppendTurnsHandler } from './handlers/append-turns.js';
import { CancelRuns } from './handlers/cancel-runs.js';
import { Capsules } from './handlers/capsules.js';
import { ContextDecisions } from './handlers/context-decisions.js';
import { Promotions } from './handlers/promotions.js';
import { Certificates } from './handlers/certificates.js';
import { CreateRunHandler } from './handlers/create-run.js';
import { EventStreams } from './handlers/event-stream.js';
import { EventPolls } from './handlers/poll-events.js';
import { RunTails } from './handlers/run-tails.js';
import { RunWatches } from './handlers/run-watches.js';
import { ForkRunHandler } from './handlers/fork-run.js';
import { ResolveOverlayHandler } from './handlers/resolve-overlay.js';
import { Housekeeping } from './handlers/housekeeping.js';
import { IdempotentRequests } from './handlers/idempotent-requests.js';
import { InterruptTokens } from './handlers/interrupt-tokens.js';
import { PinnedContents } from './handlers/pinned-contents.js';
import { KnowledgeDeltas } from './handlers/knowledge-deltas.js';
import { RunAccess } from './handlers/run-access.js';
import { RunDocuments } from './handlers/run-documents.js';
import { RunExclusivity } from './handlers/run-exclusivity.js';
import { RunPins } from './handlers/run-pins.js';
import { RunWindows } from './handlers/run-windows.js';
import { SettledRuns } from './handlers/settled-runs.js';
import { StartOwnLoopHandler } from './handlers/start-own-loop.js';
import { StartWorkflowHandler } from './handlers/start-workflow.js';
import { WaitingInterrupts } from './handlers/waiting-interrupts.js';
import { WindowTextsReader } from './handlers/window-texts.js';
import { ArtifactsController } from './http/artifacts.controller.js';
import { CapsulesController } from './http/capsules.controller.js';
import { ContextController } from './http/context.controller.js';
import { RolloutsController } from './http/rollouts.controller.js';
import { TelemetryController } from './http/telemetry.controller.js';
import { CancellationsController } from './http/cancellations.controller.js';
import { CertificatesController } from './http/certificates.controller.js';
import { DelegationsController } from './http/delegations.controller.js';
import { EventsController } from './http/events.controller.js';
import { InterruptsController } from './http/interrupts.controller.js';
import { KeyedRequests } from './http/keyed-requests.js';
import { KnowledgeController } from './http/knowledge.controller.js';
import { LineagesController } from './http/lineages.controller.js';
import { PinsController } from './http/pins.controller.js';
import { PlatformController } from './http/platform.controller.js';
import { RegistryRequests } from './http/registry-requests.js';
import { RunLifecycleController } from './http/run-lifecycle.controller.js';
import { RunDiffController } from './http/run-diff.controller.js';
import { RunReportsController } from './http/run-reports.controller.js';
import { RunsController } from './http/runs.controller.js';
import { LoopSeamsController } from './http/seams/loop-seams.controller.js';
import { ModelSeamsController } from './http/seams/model-seams.controller.js';
import { SeamsController } from './http/seams/seams.controller.js';
import { TurnsController } from './http/turns.controller.js';
import { WindowsController } from './http/windows.controller.js';
import { WorkflowsController } from './http/workflows.controller.js';
import { WorkgroupsController } from './http/workgroups.controller.js';
import {
  HOST_KEY,
  REGISTRY,
  RUN_FORKS,
  RUN_LOG_COMMANDS,
  WINDOW_ASSEMBLER,
  WORKFLOW_DIRECTORY,
} from './ports.js';

@Module({})
export class GatewayModule {
  static register(
    ports: GatewayPorts,
    options: Pick<GatewayOptions, 'context'> & Partial<GatewayOptions>,
  ): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [
        RunsController,
        RunLifecycleController,
        RunReportsController,
        RunDiffController,
        CertificatesController,
        CancellationsController,
        InterruptsController,
        WorkflowsController,
        TurnsController,
        PinsController,
        WindowsController,
        EventsController,
        ArtifactsController,
        WorkgroupsController,
        LineagesController,
        DelegationsController,
        KnowledgeController,
        ContextController,
        CapsulesController,
        TelemetryController,
        RolloutsController,
        PlatformController,
        DiscoveryController,
        ...(options.testSeams === true ? [SeamsController, LoopSeamsController, ModelSeamsController] : []),
      ],
      providers: [
        ...portProviders(ports),
        { provide: GATEWAY_OPTIONS, useValue: withDefaults(options) },
        RunAccess,
        CreateRunHandler,
        StartWorkflowHandler,
        StartOwnLoopHandler,
        RunDocuments,
        RunExclusivity,
        CancelRuns,
        Certificates,
        AnswerInterrupts,
        InterruptTokens,
        WaitingInterrupts,
        AppendTurnsHandler,
        WindowTextsReader,
        RunWindows,
        PinnedContents,
        RunPins,
        ForkRunHandler,
        ResolveOverlayHandler,
        RunTails,
        RunWatches,
        EventStreams,
        EventPolls,
        SettledRuns,
        ContextDecisions,
        Capsules,
        Promotions,
        ...(options.testSeams === true ? [AgentLoopStarts, AgentLoopSamples] : []),
        IdempotentRequests,
        KeyedRequests,
        RegistryRequests,
        KnowledgeDeltas,
        Housekeeping,
      ],
    };
  }
}

function portProviders(ports: GatewayPorts): Provider[] {
  return [
    { provide: GATEWAY_DATABASE, useValue: ports.database },
    { provide: EVENT_LOG, useValue: ports.eventLog },
    { provide: RUN_LOG_COMMANDS, useValue: ports.runLog },
    { provide: WINDOW_ASSEMBLER, useValue: ports.assembler },
    { provide: RUN_FORKS, useValue: ports.forks },
    { provide: WORKFLOW_DIRECTORY, useValue: ports.workflows },
    { provide: REGISTRY, useValue: ports.registry },
    { provide: CLOCK, useValue: ports.clock ?? systemClock },
    { provide: RACE_POINTS, useValue: ports.races ?? noRacePoints },
    { provide: ARTIFACT_STORE, useValue: ports.artifacts },
    { provide: HOST_KEY, useValue: ports.hostKey ?? null },
    { provide: MESSAGE_BUS, useValue: ports.bus },
    { provide: TOKEN_COUNTER, useValue: ports.tokens },
    { provide: ID_SOURCE, useValue: ports.ids },
    { provide: LOGGER, useValue: ports.logger },
    { provide: READINESS, useValue: ports.readiness },
    { provide: FIXTURE_IDS, useValue: ports.fixtureIds ?? (() => ports.workflows.fixtures()) },
  ];
}
