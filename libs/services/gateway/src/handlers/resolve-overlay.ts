import { Inject, Injectable } from '@nestjs/common';
import {
  ownLoopStateSchema,
  PAYLOAD_BYTES,
  RECOUNTED_BYTES,
  type ContextRequest,
  type ContextSettings,
  type JsonObject,
  type RunHeader,
  type RunOverlay,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import {
  EVENT_LOG,
  NotFoundError,
  PayloadTooLargeError,
  settingsHolder,
  type EventLog,
} from '@palimpsest/kernel';
import { checkReservedKeys, checkRunRequest, workflowStateOf } from '@palimpsest/workflow';
import type { Caller } from '../domain/api-key.js';
import { resolveContextSettings, resolveLoopContext } from '../domain/context-settings.js';
import { checkModelWish } from '../domain/model-wish.js';
import { overlaidContext } from '../domain/overlaid-context.js';
import { parseRequest } from '../domain/parse-request.js';
import { recordedRequest } from '../domain/recorded-request.js';
import {
  configurableSchema,
  metadataSchema,
  type ForkRunRequest,
  type RunOptionsOverlay,
} from '../domain/requests.js';
import type { SentObject } from '../domain/sent-json.js';
import { MockProviderForbiddenError } from '../domain/workflow-errors.js';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options.js';
import { WORKFLOW_DIRECTORY, type WorkflowDirectory } from '../ports.js';

/** What an overlay is laid over: the settings in force at the fork point. */
type Settings = Pick<WorkflowRunState, 'context' | 'configurable' | 'tags' | 'metadata'>;

/** Of an overlay: what is beside `context`, laid over the source's; absent where it says nothing of that. */
type Laid = { readonly configurable?: SentObject; readonly metadata?: SentObject };

/** The settings that a branch runs on under (host specification §6.1), checked as at creation and whole. */
@Injectable()
export class ResolveOverlayHandler {
  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(WORKFLOW_DIRECTORY) private readonly workflows: WorkflowDirectory,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /**
   * Undefined where nothing is laid over. What is recorded holds no secret that is known as one.
   * @throws ValidationError, BudgetInfeasibleError, MockProviderForbiddenError, PayloadTooLargeError
   */
  async resolve(
    caller: Pick<Caller, 'testKey'>,
    source: RunHeader,
    { runOptionsOverlay: asked = {}, fromSeq = 0 }: ForkRunRequest,
  ): Promise<RunOverlay | undefined> {
    if (isEmpty(asked)) return undefined;
    if (asked.configurable?.['mockProvider'] !== undefined && !caller.testKey)
      throw new MockProviderForbiddenError();
    const { state } = await settingsHolder(this.log, source, fromSeq);
    const workflow = workflowStateOf(state);
    const overlay = workflow ? await this.ofWorkflow(workflow, asked) : this.ofOwnLoop(source, state, asked);
    requireSmall(overlay);
    return isEmpty(overlay) ? undefined : overlay;
  }

  private ofOwnLoop(source: RunHeader, state: JsonObject, asked: RunOptionsOverlay): RunOverlay {
    const settings = ownLoopStateSchema.safeParse(state).data;
    if (!settings) throw new NotFoundError('The settings of the run', { runId: source.runId });
    const laid = laidOver(settings, asked);
    if (laid.configurable) checkReservedKeys(laid.configurable);
    const context = overlaid(settings, asked, (request) =>
      resolveContextSettings(request, this.options.context),
    );
    return { ...context, ...recorded(laid, asked) };
  }

  private async ofWorkflow(state: WorkflowRunState, asked: RunOptionsOverlay): Promise<RunOverlay> {
    const laid = laidOver(state, asked);
    const bounds = laid.configurable && (await this.boundsOf(state, laid.configurable));
    const context = overlaid(state, asked, (request) => resolveLoopContext(request, this.options.context));
    return { ...context, ...recorded(laid, asked), ...(bounds && { bounds }) };
  }

  private async boundsOf(
    { workflowDigest: digest, inputs }: WorkflowRunState,
    configurable: SentObject,
  ): Promise<WorkflowRunState['bounds']> {
    const workflow = await this.workflows.readWorkflow({ digest });
    if (!workflow) throw new NotFoundError('The workflow of the run');
    const request = { inputs, configurable: configurable as JsonObject };
    checkModelWish(configurable, this.options.models);
    return checkRunRequest(workflow.definition, request, this.options.engineLimits).bounds;
  }
}

function overlaid(
  { context: source }: Settings,
  { configurable: { context: request = {} } = {} }: RunOptionsOverlay,
  resolve: (request: ContextRequest) => ContextSettings,
): Pick<RunOverlay, 'context'> {
  return isEmpty(request) ? {} : { context: overlaidContext(source, request, resolve) };
}

function laidOver(settings: Settings, asked: RunOptionsOverlay): Laid {
  const { context: _request, ...configurable } = asked.configurable ?? {};
  const { context: _settings, ...before } = settings.configurable ?? {};
  const { metadata } = asked;
  return {
    ...(!isEmpty(configurable) && {
      configurable: parseRequest(
        configurableSchema,
        { ...before, ...configurable },
        'configurable',
      ) as SentObject,
    }),
    ...(metadata && {
      metadata: parseRequest(metadataSchema, { ...settings.metadata, ...metadata }, 'metadata'),
    }),
  };
}

function recorded(laid: Laid, { tags }: RunOptionsOverlay): RunOverlay {
  return recordedRequest({ ...laid, ...(tags && { tags }) });
}

/**
 * The event is written behind the answer: it must not fail then for what could be known before. With other settings of its
 * context it may have what was said and pinned before in another unit, too, which is counted when it is written.
 */
function requireSmall(overlay: RunOverlay): void {
  const bytes = new TextEncoder().encode(JSON.stringify(overlay)).length;
  const most = overlay.context ? PAYLOAD_BYTES - RECOUNTED_BYTES : PAYLOAD_BYTES;
  if (bytes > most) throw new PayloadTooLargeError(bytes, most, 'The event that records it');
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
