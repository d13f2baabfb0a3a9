import { isFacts } from '../json/facts.js';
import { holdsCredential, isPrivateCapsuleKey, isPrivateCapsuleValue } from './capsule-marks.js';
import { ADDRESS, PROVIDER_ID } from './telemetry-marks.js';

/** The registry keeps no handle of a platform, so neither the name nor what stands there can get anywhere. */
const DROPPED_KEY = 'platform_handle';
/** The contract's own names, which only look private: a measurement's number (§12.4), and counts of events (§7.2). */
const KNOWN_KEYS: readonly string[] = ['measurement_run_id', 'prompt_bytes', 'tool_output_bytes'];
/** Lists of owned paths (§4.2). A folder may be called as conversations are: `src/agent-runner.ts`, `libs/run-orchestrator`. */
const PATH_KEYS: readonly string[] = ['ownedFiles', 'owned_files', 'resolved_owned_files', 'ownedPaths'];
/** An envelope's (§12.4), in base64: chance makes one of 64 begin as an absolute path does. */
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

/** Keys of providers that the contract does not know; its own operations do not look for them. */
const FURTHER_KEYS =
  /\b(?:(?:hf_|gsk_|xai-|r8_|pplx-|dop_v1_|whsec_)[A-Za-z0-9]{20}|(?:SG\.|pypi-|xapp-|hvs\.|ya29\.)[A-Za-z0-9._-]{20})/;

/** Whether a text holds a key of a provider that the contract does not know. */
export function holdsFurtherKey(text: string): boolean {
  return FURTHER_KEYS.test(text);
}

/** What a path may stand behind: nothing, a blank, a quote, an opening bracket, or what separates and redirects. */
const BEFORE_PATH = '(?:^|[\\s"\'`([{<>=:,;|])';
const NAME = '[^\\s/\\\\"\'`()[\\]{}<>|]';
/** Of two names or more; `//` begins none, so that the address of a page is none, and neither does the version of an API's route. */
const ABSOLUTE = `/(?!v\\d+(?:(?:alpha|beta)\\d*)?/)${NAME}+/${NAME}`;
/** Folders that machines have at their root, where people's own things lie as well. */
const ROOTS = 'Users|home|root|etc|var|tmp|private|usr|opt|srv|mnt|media|Volumes|proc|dev';
/** A place of somebody's, or of another machine: home by its sign or its variable, a drive, a share, a file's URL. */
const ELSEWHERE = [
  `${BEFORE_PATH}(?:~(?:[a-z_][\\w.-]*)?[/\\\\]|[a-z]:[\\\\/]${NAME}|\\\\\\\\${NAME})`,
  `\\bfile:/+${NAME}`,
  '\\$(?:HOME|\\{HOME\\}|env:(?:HOME|USERPROFILE))[/\\\\]',
  '%(?:USERPROFILE|HOMEPATH)%[/\\\\]',
].join('|');
/**
 * A text that is an absolute path, or has one in it; a folder of a machine also behind an option's letter (`-I/home/…`).
 * Linear in the text: what is repeated ends at the next slash, and a path begins with one.
 */
const ABSOLUTE_PATH = new RegExp(
  `^/${NAME}|${BEFORE_PATH}${ABSOLUTE}|(?<![^\\s"'\`(=,])-[a-z]/(?:${ROOTS})/${NAME}|${ELSEWHERE}`,
  'i',
);
/** The same in an owned path: which of those below a root can be owned the contract says (§4.2), and none that begins there can. */
const FOREIGN_PATH = new RegExp(`^/(?:Users|home|root)/${NAME}|${ELSEWHERE}`, 'i');

/** Beside the marks of a capsule: in every text, and in one that is no owned path. */
const EVERYWHERE = [FURTHER_KEYS, ADDRESS];
const IN_TEXTS = [...EVERYWHERE, PROVIDER_ID, ABSOLUTE_PATH];
const IN_OWNED_PATHS = [...EVERYWHERE, FOREIGN_PATH];

/**
 * Whether anything in a value may not be kept, told or passed on: a string or a key that a capsule may not hold (contract
 * §6.3), a key of a further provider, an e-mail address or a conversation's id (§7.3), or an absolute path. At any depth,
 * without recursion. In a list of owned paths credentials, addresses, homes and places of other machines are looked for:
 * which other paths can be owned the contract says (§4.2), and an absolute one can not.
 */
export function holdsPrivateValue(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string' && isPrivateText(next)) return true;
    if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isFacts(next) && !openMembers(next, open)) return true;
  }
  return false;
}

/** False at a private key, and at a private path. */
function openMembers(members: object, open: unknown[]): boolean {
  for (const [key, member] of Object.entries(members)) {
    if (key === DROPPED_KEY) continue;
    if (isPrivateKey(key)) return false;
    if (!mayLookAbsolute(key, member)) open.push(member);
    else if (!openPaths(member, open)) return false;
  }
  return true;
}

function mayLookAbsolute(key: string, member: unknown): boolean {
  const isSignature = key === 'signature' && typeof member === 'string' && SIGNATURE.test(member);
  return isSignature || PATH_KEYS.includes(key);
}

/** What is no path in such a list is looked at as anything else is. */
function openPaths(list: unknown, open: unknown[]): boolean {
  const items: readonly unknown[] = Array.isArray(list) ? list : [list];
  for (const item of items) {
    if (typeof item !== 'string') open.push(item);
    else if (isPrivatePath(item)) return false;
  }
  return true;
}

/** A name may itself be what is private: facts may have any. */
function isPrivateKey(key: string): boolean {
  return !KNOWN_KEYS.includes(key) && (isPrivateCapsuleKey(key) || isPrivateText(key));
}

function isPrivateText(text: string): boolean {
  return isPrivateCapsuleValue(text) || IN_TEXTS.some((mark) => mark.test(text));
}

function isPrivatePath(text: string): boolean {
  return holdsCredential(text) || IN_OWNED_PATHS.some((mark) => mark.test(text));
}
