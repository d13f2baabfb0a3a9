/** `path` as `nodes.3.config.delayMs`. */
export type DefinitionProblem = { readonly path: string; readonly problem: string };
