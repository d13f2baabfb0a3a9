export { PlayedAssembler } from './played-assembler.js';
export { publishJobs, sampleJobs } from './sample-jobs.js';
