import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ARTIFACT_STORE, EVENT_LOG, ID_SOURCE, LOGGER, MESSAGE_BUS, TOKEN_COUNTER } from '@palimpsest/kernel';
import {
  GATEWAY_DATABASE,
  GATEWAY_OPTIONS,
  READINESS,
  withDefaults,
  type GatewayOptions,
  type GatewayPorts,
} from './gateway-options.js';
import { AppendTurnsHandler } from './handlers/append-turns.js';
import { CreateRunHandler } from './handlers/create-run.js';
import { EventStreams } from './handlers/event-stream.js';
import { ForkRunHandler } from './handlers/fork-run.js';
import { IdempotentRequests } from './handlers/idempotent-requests.js';
import { KeyHousekeeping } from './handlers/key-housekeeping.js';
import { RunAccess } from './handlers/run-access.js';
import { RunWindows } from './handlers/run-windows.js';
import { WindowTextsReader } from './handlers/window-texts.js';
import { ArtifactsController } from './http/artifacts.controller.js';
import { EventsController } from './http/events.controller.js';
import { KeyedRequests } from './http/keyed-requests.js';
import { PlatformController } from './http/platform.controller.js';
import { RunLifecycleController } from './http/run-lifecycle.controller.js';
import { RunReportsController } from './http/run-reports.controller.js';
import { RunsController } from './http/runs.controller.js';
import { TurnsController } from './http/turns.controller.js';
import { WindowsController } from './http/windows.controller.js';
import { RUN_FORKS, RUN_LOG_COMMANDS, WINDOW_ASSEMBLER } from './ports.js';

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
        TurnsController,
        WindowsController,
        EventsController,
        ArtifactsController,
        PlatformController,
      ],
      providers: [
        ...portProviders(ports),
        { provide: GATEWAY_OPTIONS, useValue: withDefaults(options) },
        RunAccess,
        CreateRunHandler,
        AppendTurnsHandler,
        WindowTextsReader,
        RunWindows,
        ForkRunHandler,
        EventStreams,
        IdempotentRequests,
        KeyedRequests,
        KeyHousekeeping,
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
    { provide: ARTIFACT_STORE, useValue: ports.artifacts },
    { provide: MESSAGE_BUS, useValue: ports.bus },
    { provide: TOKEN_COUNTER, useValue: ports.tokens },
    { provide: ID_SOURCE, useValue: ports.ids },
    { provide: LOGGER, useValue: ports.logger },
    { provide: READINESS, useValue: ports.readiness },
  ];
}
