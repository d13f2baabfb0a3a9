// `npm run conformance` starts this against the host that it was given.
import { namedHost } from './named-host.js';
import { registerApplicable } from './register.js';
import { SCENARIOS } from './scenarios/index.js';

const { host, isChosen } = namedHost();

// Gates are decided before the tests are registered, so that a row left out shows with its reason.
await host.trySeams();
registerApplicable(SCENARIOS.filter(isChosen), await host.discovery(), host);

beforeAll(() => host.startEarly());
