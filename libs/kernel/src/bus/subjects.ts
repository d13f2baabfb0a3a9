import { ValidationError } from '../errors/known-errors.js';

const SUBJECT = /^[^\s.*>]+(\.[^\s.*>]+)*$/;

/** Refuses a subject that cannot be sent to: empty tokens, white space, wildcards. */
export function assertSubject(subject: string): void {
  if (!SUBJECT.test(subject)) throw new ValidationError('The subject is not one that can be sent to.');
}

/** A pattern is a subject, or one that ends in `.>`: then it takes every subject that is longer. */
export function subjectMatches(pattern: string, subject: string): boolean {
  if (!pattern.endsWith('.>')) return pattern === subject;
  const stem = pattern.slice(0, -1);
  return subject.startsWith(stem) && subject.length > stem.length;
}
