export { migrationSets } from './migration-sets.js';
