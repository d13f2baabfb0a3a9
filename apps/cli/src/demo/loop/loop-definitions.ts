import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversation } from '../../transcripts/transcript.js';

export const LOOP_WORKFLOW = 'incident-loop';

/** A worker of the demo's loop, and what it returns. */
export type Reporter = { readonly workflowId: string; readonly report: string };

const MOST_REPORTS = 24;
/** Code points; a node's outputs hold 48 KiB. */
const LONGEST_REPORT = 8000;

/** The tool results of the example session, each as a worker that returns it. */
export function reportersOf({ messages }: Conversation): readonly Reporter[] {
  return messages
    .map(({ message }) => message)
    .filter(({ role }) => role === 'tool')
    .slice(0, MOST_REPORTS)
    .map(({ content }, place) => ({
      workflowId: `report-${String(place + 1).padStart(2, '0')}`,
      report: [...String(content)].slice(0, LONGEST_REPORT).join(''),
    }));
}

const PROMPT =
  'Read every report about the incident: hand off to each worker of the list once, one in a turn, in the order of the ' +
  'list. When the last one has returned, terminate, and say in a sentence what the reports are about.';

const NODE = { position: { x: 0, y: 0 }, inputs: {} };
const BARE = { version: '1', triggers: [], variables: [], metadata: {}, settings: {} };

/** Definitions as files, as an operator gives them. */
export function writeLoopDefinitions(folder: string, reporters: readonly Reporter[]): void {
  mkdirSync(folder, { recursive: true });
  for (const definition of [supervisorOf(reporters), ...reporters.map(reporterDefinition)])
    writeFileSync(join(folder, `${definition.id}.json`), JSON.stringify(definition));
}

function supervisorOf(reporters: readonly Reporter[]) {
  const config = { prompt: PROMPT, workers: reporters.map(({ workflowId }) => workflowId) };
  return {
    ...{ ...BARE, id: LOOP_WORKFLOW, name: 'An incident, report by report' },
    nodes: [
      { ...NODE, id: 'supervisor', typeId: 'core.orchestrator.supervisor', name: 'Decide', config },
      { ...NODE, id: 'dispatch', typeId: 'core.dispatch', name: 'Hand off', config: {} },
    ],
    edges: [
      { id: 'go', sourceNodeId: 'supervisor', targetNodeId: 'dispatch' },
      { id: 'back', sourceNodeId: 'dispatch', targetNodeId: 'supervisor' },
    ],
  };
}

function reporterDefinition({ workflowId, report }: Reporter) {
  return {
    ...{ ...BARE, id: workflowId, name: workflowId },
    nodes: [{ ...NODE, id: 'report', typeId: 'core.identity', name: 'Report', config: {} }],
    edges: [],
    variables: [{ name: 'report', type: 'string', defaultValue: report }],
  };
}
