/** As `run.started` and snapshots give it: a string in version 1 of the protocol (host specification §3.3). */
export const ENGINE_VERSION = '1';
