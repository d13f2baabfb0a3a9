import { historyNames } from '../history.js';
import { writeHistory, type Numbers } from './history-file.js';
import { OWN_LOOP_RECORDINGS } from './record-own-loops.js';
import { WORKFLOW_RECORDINGS } from './record-workflows.js';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new TypeError('Usage: record-histories <folder of the histories>');

// Records what is listed here and not in the folder yet. No history is ever written anew.
for (const { names, record } of [...OWN_LOOP_RECORDINGS, ...WORKFLOW_RECORDINGS]) {
  const there = historyNames(folder);
  if (names.some((name) => there.includes(name))) continue;
  const numbers: Numbers = new Map();
  for (const [name, history] of Object.entries(await record())) {
    writeHistory(history, { folder, name, numbers });
    process.stdout.write(`${name}: ${history.events.length} events\n`);
  }
}
