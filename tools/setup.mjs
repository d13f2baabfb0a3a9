#!/usr/bin/env node
// Makes a clone ready to run: packages and build.
import { progress } from './console.mjs';
import { setup } from './workspace.mjs';

await setup();
progress('ready');
