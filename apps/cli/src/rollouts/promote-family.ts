import { readSource } from '../import/read-source.js';
import type { PromoteBody } from '../client/registry-api.js';
import { printableAnswer } from '../output/text.js';
import { EXIT, UsageError, type ExitCode } from '../program/cli-error.js';
import type { CommonOptions, Session } from '../program/session.js';
import { gateLines } from './gate-lines.js';

export type PromoteOptions = CommonOptions & {
  readonly family: string;
  readonly evidence: string;
  readonly expectedVersion?: number;
};

/** `palimpsest rollout promote <environment> --family <name> --evidence <file>` */
export async function promoteFamily(
  environment: string,
  options: PromoteOptions,
  session: Session,
): Promise<ExitCode> {
  const { output } = session;
  const { family, expectedVersion } = options;
  const evidence = evidenceOf(await readSource(options.evidence), options.evidence);
  const { registry } = await session.api(options);
  const promotion = await registry.promote(environment, {
    family,
    ...evidence,
    ...(expectedVersion !== undefined && { expectedVersion }),
  });
  if (options.json) output.json(promotion);
  else output.lines(gateLines(printableAnswer(promotion), output));
  return promotion.promoted ? EXIT.done : EXIT.negative;
}

type Evidence = Pick<PromoteBody, 'pairs' | 'thresholds' | 'measurementEnvelope'>;

/** The file may be a request of `palimpsest context promotion`, which has its envelope among the options. */
function evidenceOf(text: string, file: string): Evidence {
  const name = file === '-' ? 'standard input' : file;
  const evidence = objectIn(text);
  if (!evidence) throw new UsageError(`${name} is not one JSON object`);
  const { pairs, thresholds, measurement_envelope: envelope, options } = evidence;
  const measurementEnvelope = envelope ?? memberOf(options, 'measurement_envelope');
  if (pairs === undefined || measurementEnvelope === undefined)
    throw new UsageError(`${name} lacks "pairs" or "measurement_envelope"`);
  return { pairs, measurementEnvelope, ...(thresholds !== undefined && { thresholds }) };
}

/** What the parser says of a text may repeat it. */
function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
