import { describeOwnHost } from './describe-own-host.js';
import { startOwnSplit } from './own-host.js';

describeOwnHost('every service in a process of its own', startOwnSplit);
