import type { CertificateVerdict } from '@palimpsest/kernel';
import type { Palette } from '../output/palette.js';
import { count } from '../output/text.js';

type Difference = NonNullable<CertificateVerdict['firstDifference']>;

const WHAT: Readonly<Record<Difference['what'], string>> = {
  form: 'this is no line of a certificate',
  order: 'this line is not in its place',
  'cut off': 'the certificate ends without its last line',
  sequence: 'an event is missing, twice there, or not in its place',
  content: 'the event says something else than was recorded',
  link: 'its time, its cause, what comes before it or the fork record is not what was recorded',
  beginning: 'its run is said to have begun at another time',
  writer: 'the event is of a run that the chain does not pass through here',
  unchained: 'the event is in no chain',
  head: 'the head is not the end of the chain: events are missing at the end, or it was altered',
  cause: 'its cause is no event before it',
  'artifact list': 'the list of content is not what the events name, in their order',
  artifact: 'the content at hand is not what was certified',
  counts: 'the number of lines is not what was certified',
  key: 'it is signed with a key that none of the keys given is',
  signature: 'the signature is not of what is written here',
};

/** `line 12, event 10: the event says …` */
export function differenceText({ line, sequence, artifactId, path, what }: Difference): string {
  const places = [
    `line ${line}`,
    ...(sequence === undefined ? [] : [`event ${sequence}`]),
    ...(artifactId === undefined ? [] : [artifactId]),
    ...(path ? [`"${path}"`] : []),
  ];
  return `${places.join(', ')}: ${WHAT[what]}`;
}

export function verdictLines(verdict: CertificateVerdict, { green, red }: Palette): string[] {
  const { ok, run, events, artifacts, issuedAt, keyId, firstDifference } = verdict;
  const forked = run && run.ancestors.length > 0 ? `, a fork of ${run.ancestors.join(', of ')}` : '';
  return [
    ok ? green('verified: all is as this host recorded and signed it') : red('not verified'),
    ...(firstDifference ? [`first difference: ${differenceText(firstDifference)}`] : []),
    ...(run ? [`run: ${run.runId} of ${run.tenantId}${forked}`] : []),
    `events checked: ${count(events)}`,
    `content: ${contentText(artifacts)}`,
    ...(firstDifference ? [] : [signatureText(verdict.signature, keyId)]),
    ...(issuedAt === undefined || firstDifference ? [] : [`issued: ${issuedAt}`]),
  ];
}

function contentText({ listed, compared, ...absent }: CertificateVerdict['artifacts']): string {
  const notThere = Object.entries(absent)
    .filter(([, number]) => number > 0)
    .map(([why, number]) => `, ${count(number)} ${why} when it was issued`);
  return `${count(listed)} hashes, ${count(compared)} compared with what is at hand${notThere.join('')}`;
}

function signatureText(signature: CertificateVerdict['signature'], keyId = ''): string {
  return signature === 'valid'
    ? `signature: of the key ${keyId}`
    : `signature: NOT CHECKED, no --host-key was given: the chain is whole, but anybody could have written it (it names the key ${keyId})`;
}
