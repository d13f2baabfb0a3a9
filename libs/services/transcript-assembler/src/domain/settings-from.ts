import {
  contextSettingsSchema,
  RUN_OVERLAID,
  RUN_STARTED,
  runOverlaidSchema,
  type ContextSettings,
  type PlacedEvent,
  type RunOverlaid,
} from '@palimpsest/contracts';

/** An overlay under whose settings no window of the run was planned yet. */
export type StandingOverlay = { readonly sequence: number; readonly overlaid: RunOverlaid };

/** Types of the events that tell what windows are held to from there on. */
export const SETTINGS_TYPES: readonly string[] = [RUN_STARTED, RUN_OVERLAID];

/** What windows are held to from an event of {@link SETTINGS_TYPES} on; undefined where it says nothing of that. */
export function settingsFrom({ type, payload }: PlacedEvent): ContextSettings | undefined {
  const { configurable } = payload as { readonly configurable?: { readonly context?: unknown } };
  const inConfigurable = type === RUN_STARTED ? configurable?.context : undefined;
  return contextSettingsSchema.safeParse(payload['context'] ?? inConfigurable).data;
}

/** Undefined for an overlay that leaves the settings of windows as they are, and for any other event. */
export function standingOverlay(event: PlacedEvent): StandingOverlay | undefined {
  if (event.type !== RUN_OVERLAID) return undefined;
  const overlaid = runOverlaidSchema.parse(event.payload);
  return overlaid.context && { sequence: event.sequence, overlaid };
}
