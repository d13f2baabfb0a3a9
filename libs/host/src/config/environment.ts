/** Variables as a process gets them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The one place that reads the process's environment. */
export function processEnvironment(): Environment {
  return process.env;
}
