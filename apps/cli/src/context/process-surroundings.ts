import type { Surroundings } from '@palimpsest/context-efficiency';
import { fileWorkspace } from './file-workspace.js';

/** What this command knows beside the request: clock, file system and trusted keys (contract §1). */
export function processSurroundings(): Surroundings {
  return {
    clock: Date.now(),
    workspace: fileWorkspace(() => process.cwd()),
    // Not by libs/host: this command is bundled alone, and loads nothing of the servers.
    trustedKeys: process.env['KNOWZCODE_TRUSTED_MEASUREMENT_KEYS'],
  };
}
