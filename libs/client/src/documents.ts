import type { components, operations } from './generated/api.js';

export type OperationName = keyof operations;

type Succeeded = 200 | 201 | 202;
type JsonIn<Message> = Message extends { readonly content: { readonly 'application/json': infer Body } }
  ? Body
  : never;

/** What an operation, as the generated types have it, answers when it succeeds. */
export type AnswerIn<Operation> = Operation extends { readonly responses: infer Responses }
  ? JsonIn<Responses[Succeeded & keyof Responses]>
  : never;

export type AnswerOf<Name extends OperationName> = AnswerIn<operations[Name]>;

/** The JSON body an operation takes; `never` where it takes none. */
export type BodyOf<Name extends OperationName> = operations[Name] extends {
  readonly requestBody?: infer Body;
}
  ? JsonIn<NonNullable<Body>>
  : never;

export type ErrorDocument = components['schemas']['Error'];
export type RunSnapshot = AnswerOf<'readRun'>;
export type RunEvent = AnswerOf<'readEvents'>['events'][number];
export type PolledEvents = AnswerOf<'pollEvents'>;
