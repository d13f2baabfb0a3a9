import { createRequire } from 'node:module';

const manifest = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

/** Of this release, as its packages carry it. */
export const PRODUCT_VERSION = manifest.version;
