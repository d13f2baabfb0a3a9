import type { JsonObject } from '@palimpsest/contracts';
import { textOf } from './texts.js';
import type { Answer, PostgresNode } from './postgres-node.js';

/** A run with windows and summaries, made the way a caller makes it. Finished: it takes no more turns. */
export async function sourceOverHttp(node: PostgresNode, turns = 12): Promise<string> {
  const { body } = await made(
    node.ask({ url: '/v1/runs', json: { workflowId: 'palimpsest-external', configurable: { context: {} } } }),
  );
  const runId = body['runId'] as string;
  for (let turn = 1; turn <= turns; turn += 1) {
    const messages = [{ role: 'user', content: textOf(turn, 250) }];
    await made(node.ask({ url: `/v1/runs/${runId}/turns`, json: { messages } }));
    await made(node.ask({ url: `/v1/runs/${runId}/windows`, json: {} }));
  }
  await made(node.ask({ url: `/v1/runs/${runId}/finish`, json: {} }));
  return runId;
}

async function made(answered: Promise<Answer>): Promise<Answer> {
  const answer = await answered;
  if (answer.status >= 300) throw new TypeError(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/** As the API lists them. */
export async function eventsOverHttp(
  node: PostgresNode,
  runId: string,
): Promise<
  readonly (JsonObject & { readonly type: string; readonly sequence: number; readonly payload: JsonObject })[]
> {
  const { body } = await made(node.ask({ method: 'GET', url: `/v1/runs/${runId}/events` }));
  return body['events'] as never;
}
