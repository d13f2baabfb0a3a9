// What every generated file has in common: it is formatted like the others, so that nothing has to leave it out.
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from './console.mjs';

export async function formatted(text, path) {
  const filepath = join(root, path);
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}
