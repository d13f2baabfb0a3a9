import type { z } from 'zod';
import { ConfigurationError, type ConfigurationProblem } from './configuration-error.js';
import type { Environment } from './environment.js';

/** One setting: the variable it is read from, what its text becomes, and what it does, for docs/configuration.md. */
export type Variable<Schema extends z.ZodType = z.ZodType> = {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
};

export type Variables = Readonly<Record<string, Variable>>;

export type ConfigOf<V extends Variables> = {
  readonly [Key in keyof V]: z.output<V[Key]['schema']>;
};

/** Rules over several settings, checked once each is valid for itself. */
export type ConfigRule<V extends Variables> = (
  config: ConfigOf<V>,
  isSet: (key: keyof V) => boolean,
) => readonly ConfigurationProblem[];

export function variable<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  description: string,
): Variable<Schema> {
  return { name, schema, description };
}

/**
 * Reads every setting, or throws one {@link ConfigurationError} that names each variable that is missing or
 * wrong. An empty variable counts as unset. The result is total and frozen.
 */
export function readConfig<V extends Variables>(
  variables: V,
  environment: Environment,
  rules: readonly ConfigRule<V>[] = [],
): ConfigOf<V> {
  const text = (key: keyof V): string | undefined => environment[variables[key]?.name ?? ''] || undefined;
  const problems: ConfigurationProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, { name, schema }] of Object.entries(variables)) {
    const parsed = schema.safeParse(text(key));
    if (parsed.success) values[key] = parsed.data;
    else
      problems.push({
        variable: name,
        problem: text(key) === undefined ? 'is required' : whatIsWrong(parsed.error),
      });
  }
  const config = Object.freeze(values) as ConfigOf<V>;
  if (problems.length === 0)
    problems.push(...rules.flatMap((rule) => rule(config, (key) => text(key) !== undefined)));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return config;
}

function whatIsWrong(error: z.ZodError): string {
  return error.issues.map(problemOf).join('; ');
}

/** `must be debug, info or warn`: the kinds of this folder word their refusals themselves, an enumeration does not. */
function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_value') return issue.message;
  const [last = '', ...others] = issue.values.map(String).reverse();
  return `must be ${others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`}`;
}
