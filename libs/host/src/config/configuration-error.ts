/** What is wrong with one variable. Never its value, which may be a secret. */
export type ConfigurationProblem = { readonly variable: string; readonly problem: string };

/** All that is wrong with a configuration, in one error, so that an operator corrects it in one go. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly ConfigurationProblem[]) {
    super(
      [
        'The configuration cannot be used:',
        ...problems.map((each) => `  ${each.variable}: ${each.problem}`),
      ].join('\n'),
    );
    this.name = 'ConfigurationError';
  }
}
