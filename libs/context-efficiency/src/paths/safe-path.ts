const FORBIDDEN = /[\\:\u0000-\u001f\u007f]/;

/** A file reference that can be taken as it is written (contract §6.4): no normalisation, case kept. */
export function isSafePath(path: unknown): path is string {
  if (typeof path !== 'string' || path !== path.trim() || FORBIDDEN.test(path)) return false;
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/** Equal, or below it by whole segments. */
export function liesWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
