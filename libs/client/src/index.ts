export { PalimpsestClient, type Call } from './palimpsest-client.js';
export { type Target } from './target.js';
export { type EventStreamMode, type Follow, type FollowEvents, type Poll } from './events/event-options.js';
export { type Platform } from './transport/platform.js';
export {
  ApiError,
  ClientError,
  InvalidTargetError,
  UnexpectedAnswerError,
  UnreachableError,
  type ApiRefusal,
} from './client-errors.js';
export {
  type AnswerOf,
  type BodyOf,
  type ErrorDocument,
  type OperationName,
  type PolledEvents,
  type RunEvent,
  type RunSnapshot,
} from './documents.js';
