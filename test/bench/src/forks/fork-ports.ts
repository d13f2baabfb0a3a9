import type { ReplayClient } from '@palimpsest/adapter-clients';
import type { Pool } from 'pg';
import type { Services } from '../measure/services.js';

export type ForkPorts = { readonly services: Services; readonly pool: Pool; readonly replay: ReplayClient };
