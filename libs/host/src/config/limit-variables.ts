import { variable } from './read-config.js';
import { wholeNumber } from './variable-kinds.js';

/** Requests per second that one instance takes, with as many again once in ten seconds; 0: no limit. */
const perSecond = wholeNumber(0, 1_000_000);
export const rateLimitVariables = {
  rateLimitKeyPerSecond: variable(
    'PALIMPSEST_RATE_LIMIT_KEY_PER_SECOND',
    perSecond.default(600),
    'Requests a second that one instance takes from one key, with as many again once in ten seconds; 0: no limit.',
  ),
  rateLimitTenantPerSecond: variable(
    'PALIMPSEST_RATE_LIMIT_TENANT_PER_SECOND',
    perSecond.default(1200),
    'As for a key, of all keys of a tenant.',
  ),
  rateLimitGlobalPerSecond: variable(
    'PALIMPSEST_RATE_LIMIT_GLOBAL_PER_SECOND',
    perSecond.default(5000),
    'As for a key, of everybody.',
  ),
  rateLimitAnonymousPerSecond: variable(
    'PALIMPSEST_RATE_LIMIT_ANONYMOUS_PER_SECOND',
    perSecond.default(200),
    'As for a key, of one client address: requests that need no key and, counted apart, those whose key is refused.',
  ),
};

/** What a run of a workflow ends at. The gateway tells it, and gives it to each run that it starts. */
export const engineVariables = {
  maxNodeExecutions: variable(
    'PALIMPSEST_MAX_NODE_EXECUTIONS',
    wholeNumber(1, 1_000_000).default(1000),
    'Most node executions of a run of a workflow; with one more it fails.',
  ),
  maxRunDurationMs: variable(
    'PALIMPSEST_MAX_RUN_DURATION_MS',
    wholeNumber(1000, 31 * 86_400_000).default(3_600_000),
    'Milliseconds that a run of a workflow may be active; with one more it fails.',
  ),
  maxLoopIterations: variable(
    'PALIMPSEST_MAX_LOOP_ITERATIONS',
    wholeNumber(1, 100_000).default(50),
    'Most turns of an execution loop; with one more its run fails. A run may ask for less.',
  ),
};
