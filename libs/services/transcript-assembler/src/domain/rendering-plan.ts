/** How one message of a fed turn is rendered, where that is settled. */
export type Rendering =
  | { readonly form: 'full'; readonly tokens: number }
  | { readonly form: 'cut'; readonly tokens: number; readonly artifactId: string }
  | { readonly form: 'elided'; readonly tokens: 0 };

/** A cut that has still to be made; it will count at most `tokens`. */
export type CutWanted = { readonly form: 'cut-wanted'; readonly tokens: number };

export type PlannedRendering = Rendering | CutWanted;

export const ELIDED: Rendering = { form: 'elided', tokens: 0 };
