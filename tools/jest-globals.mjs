// ESM specs get every global of jest but `jest` itself; this makes the ambient type true.
import { jest } from '@jest/globals';

globalThis.jest = jest;
// jest takes `testTimeout` from the root only; ours differs by kind of test.
jest.setTimeout(globalThis.testTimeoutMs);
