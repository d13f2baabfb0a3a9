import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { memberOf } from '../values/scope.js';
import { invalidAnswer } from './interrupt-errors.js';
import { isJsonObject } from './json-object.js';
import { schemaProblemOf } from './json-schema.js';

type Question = { readonly id: string; readonly question: string; readonly schema?: JsonObject };

/** Answers by question id, from an object or a list of `{ id, answer }`. @throws ValidationError with `details.field` */
export function clarificationAnswers(data: JsonObject, value: JsonValue): JsonObject {
  const questions = data['questions'] as unknown as readonly Question[];
  const answers = answersById(isJsonObject(value) ? memberOf(value, 'answers') : undefined);
  const known = new Set(questions.map(({ id }) => id));
  for (const id of answers.keys()) {
    if (!known.has(id)) throw invalidAnswer('There is no such question.', 'answers');
  }
  for (const question of questions) checkAnswer(question, answers.get(question.id));
  return Object.fromEntries(answers);
}

function answersById(answers: JsonValue | undefined): ReadonlyMap<string, JsonValue> {
  if (isJsonObject(answers)) return new Map(Object.entries(answers));
  if (!Array.isArray(answers)) throw invalidAnswer('Answers are an object or a list.', 'answers');
  const byId = new Map<string, JsonValue>();
  answers.forEach((entry: JsonValue, place) => {
    const id = isJsonObject(entry) ? memberOf(entry, 'id') : undefined;
    const answer = isJsonObject(entry) ? memberOf(entry, 'answer') : undefined;
    if (typeof id !== 'string' || answer === undefined || byId.has(id)) {
      throw invalidAnswer('Each answer needs an id of its own and a value.', `answers.${place}`);
    }
    byId.set(id, answer);
  });
  return byId;
}

function checkAnswer({ id, schema }: Question, answer: JsonValue | undefined): void {
  const field = `answers.${id}`;
  if (answer === undefined) throw invalidAnswer('Every question needs an answer.', field);
  const problem = schema && schemaProblemOf(schema, answer);
  if (problem) throw invalidAnswer('An answer does not fit the schema of its question.', field);
}

/** JSON Schema of answers, for a client to check its own with. */
export function clarificationSchema(questions: readonly Question[]): JsonObject {
  return {
    type: 'object',
    required: ['answers'],
    properties: {
      answers: {
        type: 'object',
        required: questions.map(({ id }) => id),
        properties: Object.fromEntries(questions.map(({ id, schema }) => [id, schema ?? {}])),
        additionalProperties: false,
      },
    },
  };
}
