#!/usr/bin/env node

const [command, ...words] = process.argv.slice(2);
// Of the command or of an operation; words that come later say nothing (context-efficiency contract §1).
const asksForHelp = words.slice(0, 2).some((word) => word === '--help' || word === '-h');

// This one is run for every decision of an agent: it starts without the parser and whatever else the others need.
if (command === 'context' && !asksForHelp) {
  const { runContext } = await import('./context/run-context.js');
  process.exitCode = await runContext(words);
} else {
  const { runCommandLine } = await import('./program/run-command-line.js');
  await runCommandLine(process.argv.slice(2));
}
