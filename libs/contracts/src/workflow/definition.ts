import { z } from 'zod';
import type { JsonObject } from '../json.js';
import { isStorableJson, storableTextSchema } from '../storable-json.js';

/** Workflow definitions (host specification §10.1). Closed, except where the specification says open. */
const text = (most: number) => storableTextSchema.min(1).max(most);
const storableJson = z.json().refine(isStorableJson, 'must be well-formed Unicode without NUL');
const jsonObject = z.record(text(256), storableJson);

export const workflowIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,127}$/, 'a lower-case letter, then letters, digits, "_" and "-", at most 128');

/** Part of event envelopes, of interrupt keys and of URLs, hence no slash and no colon. */
export const nodeIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/, 'letters, digits, "_", "." and "-", at most 100');

export const portValueSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('static'), value: storableJson }),
  z.strictObject({ type: z.literal('expression'), expression: text(4096) }),
  z.strictObject({ type: z.literal('connection'), nodeId: nodeIdSchema, outputKey: text(256) }),
  z.strictObject({ type: z.literal('variable'), variableName: text(128) }),
]);

export const agentRefSchema = z.strictObject({
  agentId: storableTextSchema.min(3).max(256),
  name: text(256).optional(),
  modelClass: text(128).optional(),
  memoryRef: text(256).optional(),
  version: text(128).optional(),
  channel: text(128).optional(),
  sourceManifestId: text(256).optional(),
});

/** `timeout` in milliseconds; 0: none. */
export const workflowSettingsSchema = z.looseObject({
  timeout: z.int().min(0).optional(),
  maxRetries: z.int().min(0).max(100).optional(),
  logLevel: z.string().max(32).optional(),
  maxLoopbackIterations: z.int().min(0).optional(),
});

export const workflowNodeSchema = z.strictObject({
  id: nodeIdSchema,
  typeId: z
    .string()
    .max(128)
    .regex(/^[a-z][a-zA-Z0-9._-]*$/),
  name: text(256),
  position: z.strictObject({ x: z.number(), y: z.number() }),
  config: jsonObject,
  inputs: z.record(text(128), portValueSchema),
  agent: agentRefSchema.optional(),
  settings: workflowSettingsSchema.optional(),
  disabled: z.boolean().optional(),
  outputRole: z.enum(['primary', 'secondary']).optional(),
  credentialsRef: text(256).optional(),
  notes: storableTextSchema.max(10_000).optional(),
  groupId: text(128).optional(),
  envelopeContract: storableJson.optional(),
  artifactType: text(128).optional(),
  cardType: text(128).optional(),
  outputSensitivity: text(64).optional(),
});

export const edgeConditionSchema = z.strictObject({
  type: z.enum(['expression', 'equals', 'notEquals', 'contains', 'regex']),
  left: storableJson.optional(),
  right: storableJson.optional(),
  expression: text(4096).optional(),
});

export const TRIGGER_RULES = [
  'all_success',
  'any_success',
  'all_complete',
  'none_failed',
  'any_failed',
] as const;

export const workflowEdgeSchema = z.strictObject({
  id: text(128),
  sourceNodeId: nodeIdSchema,
  targetNodeId: nodeIdSchema,
  sourceOutput: text(128).optional(),
  targetInput: text(128).optional(),
  condition: edgeConditionSchema.optional(),
  label: text(256).optional(),
  triggerRule: z.enum(TRIGGER_RULES).optional(),
});

export const workflowTriggerSchema = z.strictObject({
  id: text(128),
  type: z.enum([
    'manual',
    'schedule',
    'webhook',
    'event',
    'artifact',
    'canvas',
    'envelope',
    'command',
    'chat-message',
    'channel-write',
  ]),
  enabled: z.boolean().optional(),
  name: text(256).optional(),
  config: jsonObject.optional(),
  nodeId: nodeIdSchema.optional(),
});

export const VARIABLE_TYPES = ['string', 'number', 'boolean', 'object', 'array'] as const;

export const workflowVariableSchema = z.strictObject({
  name: text(128),
  type: z.enum(VARIABLE_TYPES),
  required: z.boolean().optional(),
  defaultValue: storableJson.optional(),
  sensitive: z.boolean().optional(),
  description: storableTextSchema.max(2000).optional(),
});

const definitionShape = z.strictObject({
  id: workflowIdSchema,
  name: text(256),
  version: text(128),
  nodes: z.array(workflowNodeSchema).min(1).max(1000),
  edges: z.array(workflowEdgeSchema).max(5000),
  triggers: z.array(workflowTriggerSchema).max(100),
  variables: z.array(workflowVariableSchema).max(500),
  metadata: z.looseObject({}),
  settings: workflowSettingsSchema,
  description: storableTextSchema.max(10_000).optional(),
  type: text(128).optional(),
  isActive: z.boolean().optional(),
  status: z.enum(['active', 'inactive', 'draft', 'archived']).optional(),
  tenantId: text(128).optional(),
  scopeId: text(256).optional(),
  slug: text(256).optional(),
  groups: z.array(storableJson).optional(),
  channels: storableJson.optional(),
  /** JSON Schema (2020-12) that `configurable` of a run must satisfy. */
  configurableSchema: jsonObject.optional(),
  defaults: jsonObject.optional(),
  acceptsInheritedArtifacts: z.boolean().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});

/** What the specification leaves open may hold any JSON, but none that a store cannot keep. */
export const workflowDefinitionSchema = definitionShape.refine(
  (definition) => isStorableJson(definition as JsonObject),
  'must be well-formed Unicode without NUL',
);

export type AgentRef = z.infer<typeof agentRefSchema>;
export type PortValue = z.infer<typeof portValueSchema>;
export type EdgeCondition = z.infer<typeof edgeConditionSchema>;
export type TriggerRule = (typeof TRIGGER_RULES)[number];
export type WorkflowNode = z.infer<typeof workflowNodeSchema>;
export type WorkflowEdge = z.infer<typeof workflowEdgeSchema>;
export type WorkflowVariable = z.infer<typeof workflowVariableSchema>;
export type WorkflowDefinition = z.infer<typeof workflowDefinitionSchema>;

/** SHA-256 (hex) of a definition's canonical JSON: the version that a run stays with. */
export const workflowDigestSchema = z.string().regex(/^[0-9a-f]{64}$/);

export type WorkflowVersion = { readonly definition: WorkflowDefinition; readonly digest: string };
