export { SummarizerWorkerModule, type SummarizerWorkerOptions } from './summarizer-worker.module.js';
