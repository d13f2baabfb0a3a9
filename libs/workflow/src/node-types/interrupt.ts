import type { JsonObject } from '@palimpsest/contracts';
import { z } from 'zod';
import { schemaCheckOf } from '../interrupts/json-schema.js';
import { approvalGate } from './approval-gate.js';
import { clarificationGate } from './clarification-gate.js';
import { schemaProblems } from './config-problems.js';
import { timeoutMsOf, timeoutMsSchema } from './interrupt-timeout.js';
import type { ConfigProblem, NodeType } from './node-type.js';

const KINDS = ['external-event', 'approval', 'clarification', 'custom'] as const;
type Kind = (typeof KINDS)[number];

const externalEventSchema = z.looseObject({
  eventType: z.string().min(1).max(256),
  correlation: z.record(z.string(), z.json()),
  timeoutMs: timeoutMsSchema,
});

const externalEvent: NodeType = {
  problemsOf: (config) => schemaProblems(externalEventSchema, config),
  perform({ node: { config } }) {
    const data = { eventType: config['eventType'], correlation: config['correlation'] } as JsonObject;
    const correlation = data['correlation'] as JsonObject;
    return {
      kind: 'suspend',
      request: {
        kind: 'external-event',
        data,
        resumeSchema: {
          type: 'object',
          properties: Object.fromEntries(
            Object.entries(correlation).map(([key, value]) => [key, { const: value }]),
          ),
        },
        ...timeoutMsOf(config),
      },
    };
  },
  resume: ({ value }) => ({ kind: 'complete', outputs: { event: value } }),
};

const customSchema = z.looseObject({
  customKind: z.string().min(1).max(256).optional(),
  payload: z.json().optional(),
  resumeSchema: z
    .record(z.string(), z.json())
    .refine((schema) => schemaCheckOf(schema) !== undefined, 'is no JSON Schema that can be used')
    .optional(),
  timeoutMs: timeoutMsSchema,
});

const custom: NodeType = {
  problemsOf: (config) => schemaProblems(customSchema, config),
  perform({ node: { config } }) {
    const { customKind, payload, resumeSchema } = config;
    const data: JsonObject = {
      customKind: customKind ?? 'custom',
      ...(payload !== undefined && { payload }),
    };
    return {
      kind: 'suspend',
      request: {
        kind: 'custom',
        data,
        ...(resumeSchema !== undefined && { resumeSchema: resumeSchema as JsonObject }),
        ...timeoutMsOf(config),
      },
    };
  },
  resume: ({ value }) => ({ kind: 'complete', outputs: { value } }),
};

const BY_KIND: Readonly<Record<Kind, NodeType>> = {
  'external-event': externalEvent,
  approval: approvalGate,
  clarification: clarificationGate,
  custom,
};

function ofKind(config: JsonObject): NodeType | undefined {
  const kind = config['kind'];
  return typeof kind === 'string' && Object.hasOwn(BY_KIND, kind) ? BY_KIND[kind as Kind] : undefined;
}

const UNKNOWN_KIND: readonly ConfigProblem[] = [
  { path: 'kind', problem: `must be one of ${KINDS.join(', ')}` },
];

/** `core.interrupt`: waits for what its configuration's `kind` says. */
export const interrupt: NodeType = {
  problemsOf: (config) => ofKind(config)?.problemsOf(config) ?? UNKNOWN_KIND,
  perform: (work) => (ofKind(work.node.config) ?? custom).perform(work),
  resume: (answer, work) => {
    const type = ofKind(work.node.config) ?? custom;
    return type.resume ? type.resume(answer, work) : { kind: 'complete', outputs: {} };
  },
};
