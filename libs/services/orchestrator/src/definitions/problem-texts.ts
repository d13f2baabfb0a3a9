import { type WorkflowDefinition, workflowDefinitionSchema } from '@palimpsest/contracts';
import type { DefinitionProblem } from '@palimpsest/workflow';

/** Further ones are counted. */
const MOST_TOLD = 20;

/** `` `name` is required; `nodes.0.typeId` must be a string, not number.``  Places and reasons, no values. */
export function problemsText(problems: readonly DefinitionProblem[]): string {
  const told = problems.slice(0, MOST_TOLD).map(({ path, problem }) => `\`${path}\` ${worded(problem)}`);
  const untold = problems.length - told.length;
  return `${told.join('; ')}${untold > 0 ? `; and ${untold} more` : ''}.`;
}

type Parsed =
  { readonly definition: WorkflowDefinition } | { readonly problems: readonly DefinitionProblem[] };

/** A definition as its schema has it, or all that does not fit. `(body)` is the whole. */
export function parseDefinition(content: unknown): Parsed {
  const parsed = workflowDefinitionSchema.safeParse(content);
  if (parsed.success) return { definition: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      const isMissing = issue.path.length > 0 && valueAt(content, issue.path) === undefined;
      return [problemAt(issue.path, isMissing ? 'is required' : issue.message)];
    }
    return issue.keys.map((key) => problemAt([...issue.path, key.slice(0, 64)], 'is not known'));
  });
  return { problems };
}

function problemAt(path: readonly PropertyKey[], problem: string): DefinitionProblem {
  return { path: path.map(String).join('.') || '(body)', problem };
}

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<PropertyKey, unknown>>)[key]
        : undefined,
    content,
  );
}

/** Texts of a schema's issues, as what is said of a field; the others are that already. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/^Invalid input: expected .+, received undefined$/, 'is required'],
  [/^Invalid input: expected ([aeio]\w*), received (\w+)$/, 'must be an $1, not $2'],
  [/^Invalid input: expected (\w+), received (\w+)$/, 'must be a $1, not $2'],
  [/^Invalid option: expected (.+)$/, 'must be $1'],
  [/^Too (small|big): expected \w+ to (have|be) (.+)$/, 'must $2 $3'],
  [/^Unrecognized keys?: .*$/, 'has members that are not known'],
  [/^(?!(?:must|is|names|has|uses|leads|differs|exceeds|does) )(.+)$/, 'does not fit: $1'],
];

function worded(problem: string): string {
  const [pattern, words] = WORDINGS.find(([each]) => each.test(problem)) ?? [];
  return pattern && words !== undefined ? problem.replace(pattern, words) : problem;
}
