import type { JsonObject, WorkflowNode } from '@palimpsest/contracts';
import { z } from 'zod';
import { memberOf } from '../values/scope.js';

const name = z.string().min(1).max(128);
/** The key is the destination, always: of an input the child's variable, of an output the parent's. */
const mapping = z.record(name, name);
const perWorker = z.record(z.string().min(1).max(256), mapping);

/** Host specification §5.3, closed. */
export const dispatchConfigSchema = z.strictObject({
  askUserRouting: z.enum(['conversation', 'clarification', 'auto']).optional(),
  workerDispatchModel: z.literal('child-run').optional(),
  fanOutPolicy: z.enum(['sequential', 'reject']).optional(),
  iterationCap: z.int().min(1).optional(),
  inputMapping: mapping.optional(),
  outputMapping: mapping.optional(),
  perWorkerInputMappings: perWorker.optional(),
  perWorkerOutputMappings: perWorker.optional(),
});

export type DispatchConfig = z.infer<typeof dispatchConfigSchema>;
export type Mapping = readonly (readonly [destination: string, source: string])[];

/** A definition is checked before runs are made of it; one that was not is as good as empty. */
export function dispatchConfigOf({ config }: WorkflowNode): DispatchConfig {
  const parsed = dispatchConfigSchema.safeParse(config);
  return parsed.success ? parsed.data : {};
}

/** A worker's own mapping takes the place of the default one, whole. */
export function mappingFor(
  workerId: string,
  byDefault: JsonObject | undefined,
  ofWorkers: JsonObject | undefined,
): Mapping {
  const effective = (memberOf(ofWorkers, workerId) ?? byDefault ?? {}) as Readonly<Record<string, string>>;
  // Stores change the order of keys; events must not follow it.
  return Object.entries(effective).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** What the mapping takes over; what is not there stays absent. */
export function mapped(map: Mapping, from: JsonObject): JsonObject {
  const present = map.flatMap(([destination, source]) => {
    const value = memberOf(from, source);
    return value === undefined ? [] : [[destination, value] as const];
  });
  return Object.fromEntries(present);
}
