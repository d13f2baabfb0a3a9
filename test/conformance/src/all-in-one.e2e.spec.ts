import { describeOwnHost } from './describe-own-host.js';
import { startOwnAllInOne } from './own-host.js';

describeOwnHost('all services in one process', startOwnAllInOne);
