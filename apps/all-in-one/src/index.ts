export { findLocalDatabase } from './local-database.js';
export { startAllInOne, type AllInOne, type AllInOneOptions } from './start-all-in-one.js';
