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

/** At least six characters, ending at a word boundary. */
const TOKEN = '[A-Za-z0-9][A-Za-z0-9._:-]{5,}\\b';
const ID_SUFFIX = '(?:[-_\\s]*id)?';
const WHOLE = '\\b(?:raw|full|verbatim)\\b';
const RECORD = '\\b(?:transcript|chat|conversation|prompt|logs?|(?:tool|ambient)[\\s_-]?output)\\b';
const SECRET_NAME =
  '(?:password|passwd|(?:api|private|secret[_-]?access)[_-]?key|(?:access|refresh|auth)[_-]?token|(?:client[_-]?)?secret)';

/**
 * Private values of a capsule (contract §6.3), by their numbers there; 13 is {@link isJwtIn}.
 *
 * Only whether a mark occurs matters, so "at least n" is written as "n" where nothing follows. Every expression is
 * linear in the text: no two neighbouring repetitions match the same characters, and none starts at many places of
 * one run.
 */
const CREDENTIALS: readonly RegExp[] = [
  BEARER, // 1
  /\bAuthorization\s*:\s*Basic\s+[A-Za-z0-9+/]{2}/i, // 2
  /\bAuthorization\s*:\s*(?:Token|ApiKey)\s+[A-Za-z0-9=._~-]{8}/i, // 3
  /\bnpm_[A-Za-z0-9]{20}/i, // 4
  // 5: from `://` backwards to where the scheme starts; `jdbc:` before it changes nothing
  /:\/\/(?<=\b[a-z][a-z0-9+.-]*:\/\/)[^\s:/@]+:[^\s/@]+@\S/i,
  /\bjdbc:(?:(?!\bjdbc:)\S)*?passw(?:or)?d=[^\s;&]/i, // 6
  API_KEY, // 7
  GITHUB_TOKEN, // 8
  GITLAB_TOKEN, // 9
  SLACK_TOKEN, // 10
  AWS_ACCESS_KEY, // 11
  PRIVATE_KEY_BLOCK, // 12
  NAMED_SECRET, // 14
  /-----BEGIN [A-Za-z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/i, // S1
  /\bgithub_pat_[A-Za-z0-9_]{20}/i, // S2
  /\bAIza[A-Za-z0-9_-]{35}/, // S3
  /\bASIA[A-Z0-9]{16}\b/, // S4
  /\b[srp]k_(?:live|test)_[A-Za-z0-9]{8}/i, // S5
  // S6: what may stand before the name reaches a word boundary always, so nothing needs to be asked there
  new RegExp(`${SECRET_NAME}["']?\\s*[:=]\\s*\\S{4}`, 'i'),
];

/** What was said, and who said it; by their numbers as well. */
const RECORDS: readonly RegExp[] = [
  new RegExp(`${WHOLE}.{0,48}${RECORD}`, 'i'), // 15
  new RegExp(`${RECORD}.{0,48}${WHOLE}`, 'i'), // 16
  new RegExp(
    `\\b(?:claude|codex|provider)[-_:/\\s]*(?:session|thread|agent|run)${ID_SUFFIX}\\s*(?:[:=#-]\\s*)?${TOKEN}`,
    'i',
  ), // 17
  new RegExp(`\\b(?:session|thread|agent|run)${ID_SUFFIX}\\s*[:=#]\\s*${TOKEN}`, 'i'), // 18
  /\b(?:sess|thread|agent|run)[_-][A-Za-z0-9][A-Za-z0-9._:-]{7,}\b/i, // 19
];

/** The marks 1 to 14 and S1 to S6: a key, a token or a password stands in the text. */
export function holdsCredential(value: string): boolean {
  return CREDENTIALS.some((mark) => mark.test(value)) || isJwtIn(value);
}

export function isPrivateCapsuleValue(value: string): boolean {
  return holdsCredential(value) || RECORDS.some((mark) => mark.test(value));
}

const PRIVATE_KEY =
  /(?:^|_)(?:raw_?)?(?:transcript|prompt|chat|conversation|logs?|tool_output|ambient_output|session|session_id|thread_id|agent_id|run_id|platform_handle|provider_handle|credentials?|password|passwd|api_key|access_token|refresh_token|auth_token)(?:_|$)/i;

export function isPrivateCapsuleKey(key: string): boolean {
  return PRIVATE_KEY.test(key);
}
