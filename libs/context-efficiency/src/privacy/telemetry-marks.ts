import { isJwtIn } from './json-web-token.js';
import {
  API_KEY,
  AWS_ACCESS_KEY,
  BEARER,
  GITHUB_TOKEN,
  GITLAB_TOKEN,
  NAMED_SECRET,
  PRIVATE_KEY_BLOCK,
  SLACK_TOKEN,
} from './shared-marks.js';

/** A person's or a machine's own place. */
export const ABSOLUTE_PATH = /(?:^|[\s"'(])(?:\/Users\/|\/home\/|[A-Za-z]:\\)[^\s"')]/i;
/** From its `@` backwards to a word boundary. */
export const ADDRESS = /@(?<=\b[A-Za-z0-9._%+-]+@)[A-Za-z0-9.-]+\.[A-Za-z]{2,}\b/;

/** What providers call a conversation. */
export const PROVIDER_ID = /\b(?:thread|session|sess|run)[_-][A-Za-z0-9-]{8,}\b/i;

/** Private values of an event (contract §7.3); linear in the text, which may be as long as a request. */
const MARKS: readonly RegExp[] = [
  BEARER,
  API_KEY,
  GITHUB_TOKEN,
  GITLAB_TOKEN,
  SLACK_TOKEN,
  AWS_ACCESS_KEY,
  PRIVATE_KEY_BLOCK,
  NAMED_SECRET,
  PROVIDER_ID,
  /\bhttps?:\/\/\S/i,
  ABSOLUTE_PATH,
  /(?:^|[\s"'(])\.\.?\/[^\s"')]/,
  ADDRESS,
  /\b(?:repo|repository|project)[-_][A-Za-z0-9][A-Za-z0-9._-]{2,}\b/i,
];

export function isPrivateTelemetryValue(value: string): boolean {
  return MARKS.some((mark) => mark.test(value)) || isJwtIn(value);
}

const PRIVATE_KEY =
  /(?:^|_)(?:prompt|prompt_body|raw_prompt|source_body|source_code|log|log_body|secret|credentials?|password|passwd|api_key|access_token|refresh_token|auth_token|platform_handle|provider_handle|provider_session_id|session_id|thread_id|agent_id|repository|repository_path|repo|file_path|email|account_id|account_email|user_id|org_id|organization_id|tenant_id|subscription_id)(?:_|$)/i;

/** `prompt_bytes` is a count, and the one exception. */
export function isPrivateTelemetryKey(key: string): boolean {
  return key !== 'prompt_bytes' && PRIVATE_KEY.test(key);
}
