/** 12 and S1. What follows it, up to its end, is the key. */
export const KEY_BLOCK = /-----BEGIN [A-Za-z0-9 ]{0,64}PRIVATE KEY(?: BLOCK)?-----/gi;
export const KEY_BLOCK_END = /-----END [A-Za-z0-9 ]{0,80}-----/gi;

/**
 * Forms of secrets (context-efficiency contract §6.3: marks 1–14 and S1–S6; 15–19 would erase ordinary ids).
 * Every expression is linear: no two neighbouring repetitions can match the same text, and those without an end
 * of their own are bounded.
 */
const PLAIN_MARKS: readonly RegExp[] = [
  /Bearer\s+[A-Za-z0-9._~+/-]+=*/gi, // 1
  /\bAuthorization\s*:\s*Basic\s+[A-Za-z0-9+/]{2,}=*/gi, // 2
  /\bAuthorization\s*:\s*(?:Token|ApiKey)\s+[A-Za-z0-9=._~-]{8,}/gi, // 3
  /\bnpm_[A-Za-z0-9]{20,}/gi, // 4
  /\b[srp]k-(?:live|test)?_?[A-Za-z0-9_-]{8,}/gi, // 7
  /\bgh[pousr]_[A-Za-z0-9]{12,}/gi, // 8
  /\bglpat-[A-Za-z0-9_-]{12,}/gi, // 9
  /\bxox[baprs]-[A-Za-z0-9-]{10,}/gi, // 10
  /\bAKIA[A-Z0-9]{16}\b/gi, // 11
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\b/gi, // 13
  /\bgithub_pat_[A-Za-z0-9_]{20,}/gi, // S2
  /\bAIza[A-Za-z0-9_-]{35,}/g, // S3
  /\bASIA[A-Z0-9]{16}\b/g, // S4
  /\b[srp]k_(?:live|test)_[A-Za-z0-9]{8,}/gi, // S5
];

/** 5 and 6, up to the first of `ends`. */
function addressMarks(ends: string): readonly RegExp[] {
  return [
    new RegExp(`\\b[a-z][a-z0-9+.-]{0,30}://[^:/@${ends}]{0,256}:[^/@${ends}]{1,256}@[^${ends}]+`, 'gi'),
    new RegExp(`\\bjdbc:(?:(?!\\bjdbc:)[^${ends}])*?passw(?:or)?d=[^;&${ends}]+`, 'gi'),
  ];
}

/** For a derived text. */
export const SECRET_MARKS: readonly RegExp[] = [...PLAIN_MARKS, ...addressMarks('\\s')];

/** For structured text: what a quotation mark ends is one value, and the rest of an unbroken line is still read. */
export const SECRET_MARKS_IN_PLACE: readonly RegExp[] = [...PLAIN_MARKS, ...addressMarks('\\s"\'')];

/** Names of 14 and S6; any letters before them are part of the name. */
const NAME =
  '(?:passw(?:or)?d|(?:api|private|secret[ _-]?access)[ _-]?key|(?:access|refresh|auth)[ _-]?token|(?:client[ _-]?)?secret)';

/** 14 and S6: a name, `:` or `=`, and a value. */
export const NAMED_SECRET = new RegExp(`${NAME}\\\\{0,3}["']?\\s*[:=]\\s*\\S{4,}`, 'gi');

/** As {@link NAMED_SECRET}, for structured text. */
export const NAMED_SECRET_IN_PLACE = new RegExp(
  `(${NAME}\\\\{0,3}["']?\\s*[:=]\\s*)("(?:[^"\\\\]|\\\\.)*|\\\\"[^"\\\\]*|'[^']*|[^\\s"'][^\\s"]{3,})`,
  'gi',
);

/** Cheap test: without one of these no mark can match. */
export const SECRET_HINT =
  /-----BEGIN|bearer|authorization|npm_|:\/\/|jdbc:|[srp]k[-_]|gh[pousr]_|glpat-|xox[baprs]-|AKIA|ASIA|eyJ|github_pat_|AIza|passw|key|token|secret/i;
