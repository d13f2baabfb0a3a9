/**
 * Where owned paths are resolved (contract §4.2): takes the segments of a path below the root, follows the links
 * of the longest part that exists, and answers the segments below the root; `undefined` where the outcome lies
 * outside of it or cannot be known.
 */
export type Workspace = (segments: readonly string[]) => readonly string[] | undefined;

/** The workspace at a root; without one, at the process's own folder. */
export type OpenWorkspace = (root: string | undefined) => Workspace;

/** For processes that must not look at a file system: paths are judged by their text alone. */
export const textWorkspace: OpenWorkspace = () => (segments) => segments;
