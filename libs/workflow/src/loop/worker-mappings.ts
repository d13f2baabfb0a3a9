import type { WorkerState, WorkflowNode } from '@palimpsest/contracts';
import { dispatchConfigOf, mappingFor, type Mapping } from './dispatch-config.js';

type Worker = Pick<WorkerState, 'workerId'>;

export function inputMappingOf({ workerId }: Worker, node: WorkflowNode): Mapping {
  const { inputMapping, perWorkerInputMappings } = dispatchConfigOf(node);
  return mappingFor(workerId, inputMapping, perWorkerInputMappings);
}

export function outputMappingOf({ workerId }: Worker, node: WorkflowNode): Mapping {
  const { outputMapping, perWorkerOutputMappings } = dispatchConfigOf(node);
  return mappingFor(workerId, outputMapping, perWorkerOutputMappings);
}
