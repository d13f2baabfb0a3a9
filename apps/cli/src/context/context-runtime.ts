#!/usr/bin/env node
// The command as a single file: `node context-runtime.mjs <operation>`.
import { runContext } from './run-context.js';

process.exitCode = await runContext(process.argv.slice(2));
