export { findLocalDatabase } from './local-database.js';
export { startAllInOne, type AllInOne, type AllInOneOptions } from './start-all-in-one.js';
export { withLocalBus, type LocalBusOptions } from './local-bus.js';
