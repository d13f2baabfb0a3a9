import type { ModelAnswer } from '@palimpsest/kernel';
import { escapeSummaryDelimiters, withoutSecrets } from '@palimpsest/transcript';

/** Why an answer is no summary. A word, as it stands in logs. */
export type ProseFault =
  | 'refused'
  | 'truncated'
  | 'empty'
  | 'ill-formed'
  | 'json'
  | 'tool-call'
  | 'error-body'
  | 'declined'
  | 'too-long'
  | 'not-smaller';

export type ProseVerdict =
  { readonly kind: 'prose'; readonly text: string } | { readonly kind: 'fault'; readonly fault: ProseFault };

/** Reasoning that a server leaves in the text; without its end, all of the text is reasoning. */
const REASONING = /^\s*<(think|thinking|reasoning)>(?:[^]*?<\/\1>|[^]*$)/i;

const TOOL_CALL =
  /<\/?(?:tool_call|tool_calls|function_call|function_calls|invoke|tool_use)\b|<function=|<\|(?:tool|python_tag|channel)|\[TOOL_CALLS\]|^\s*\[call /im;
const ERROR_BODY =
  /^\s*(?:<!doctype|<html|<\?xml|error\b\s*[:(\d]|(?:internal server error|bad gateway|service unavailable|gateway timeout|too many requests|rate limit)\b[^]{0,120}$)/i;
const DECLINED =
  /^\s*(?:(?:i['’]m|i am) (?:sorry|unable|not able)|sorry,|i (?:cannot|can['’]t|can not) (?:help|assist|comply|do|provide|summari[sz]e)|as an ai\b)/i;

/**
 * Whether a model's answer is prose to be recorded, and its text as it may be: without reasoning, control characters or
 * secrets, delimiters escaped. What it says is data all the same.
 */
export function judgeProse(answer: ModelAnswer): ProseVerdict {
  if (answer.kind === 'refusal') return faulty('refused');
  if (answer.kind === 'object') return faulty('json');
  if (answer.finish !== 'stop') return faulty('truncated');
  const text = answer.text.replace(REASONING, '').trim();
  const fault = faultOf(text);
  return fault ? faulty(fault) : { kind: 'prose', text: cleaned(text) };
}

function faulty(fault: ProseFault): ProseVerdict {
  return { kind: 'fault', fault };
}

function faultOf(text: string): ProseFault | undefined {
  if (!/[\p{L}\p{N}]/u.test(text)) return 'empty';
  if (!text.isWellFormed() || text.includes('\0')) return 'ill-formed';
  if (isJson(text)) return 'json';
  if (TOOL_CALL.test(text)) return 'tool-call';
  if (ERROR_BODY.test(text)) return 'error-body';
  return DECLINED.test(text) ? 'declined' : undefined;
}

const FENCED = /^```\w*\s*([^]*?)\s*```$/;

/** Also cut off, or in a fence: prose begins with no brace. */
function isJson(text: string): boolean {
  const inner = FENCED.exec(text)?.[1] ?? text;
  if (/^\s*\{/.test(inner)) return true;
  try {
    JSON.parse(inner);
    return true;
  } catch {
    return false;
  }
}

function cleaned(text: string): string {
  const plain = text.replace(/[\x01-\x08\x0b-\x1f\x7f\u0085\u2028\u2029]+/g, ' ').replace(/\n{2,}/g, '\n');
  return escapeSummaryDelimiters(withoutSecrets(plain));
}
