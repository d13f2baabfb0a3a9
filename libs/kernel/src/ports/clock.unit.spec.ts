import { clockContract } from '../testing/clock-contract.js';
import { systemClock } from './clock.js';

clockContract('of the system', () => systemClock);
