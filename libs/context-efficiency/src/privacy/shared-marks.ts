/** Marks that capsules and telemetry share (contract §6.3, §7.3). */

export const BEARER = /Bearer\s+[A-Za-z0-9._~+/-]/i; // 1
export const API_KEY = /\b[srp]k-(?:live|test)?_?[A-Za-z0-9_-]{8}/i; // 7
export const GITHUB_TOKEN = /\bgh[pousr]_[A-Za-z0-9]{12}/i; // 8
export const GITLAB_TOKEN = /\bglpat-[A-Za-z0-9_-]{12}/i; // 9
export const SLACK_TOKEN = /\bxox[baprs]-[A-Za-z0-9-]{10}/i; // 10
export const AWS_ACCESS_KEY = /\bAKIA[A-Za-z0-9]{16}\b/i; // 11
export const PRIVATE_KEY_BLOCK = /-----BEGIN [A-Za-z ]+PRIVATE KEY-----/i; // 12
export const NAMED_SECRET =
  /\b(?:password|passwd|api[_-]?key|access[_-]?token|refresh[_-]?token|secret)\s*[:=]\s*\S{4}/i; // 14
