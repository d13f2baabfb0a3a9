/** Injection tokens of the ports, for the services' modules. */
export const ARTIFACT_STORE = Symbol('ArtifactStore');
export const CLOCK = Symbol('Clock');
export const EVENT_LOG = Symbol('EventLog');
export const ID_SOURCE = Symbol('IdSource');
export const LOGGER = Symbol('Logger');
export const MESSAGE_BUS = Symbol('MessageBus');
export const MODEL = Symbol('Model');
export const SUMMARIZER = Symbol('Summarizer');
export const TOKEN_COUNTER = Symbol('TokenCounter');
