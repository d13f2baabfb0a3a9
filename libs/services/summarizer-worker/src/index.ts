export { SummarizerWorkerModule, type SummarizerWorkerOptions } from './summarizer-worker.module.js';
export {
  modelSummarizers,
  type ModelSummarizerOptions,
  type SummaryCall,
} from './model-summarizer/model-summarizer.js';
export { summaryMaker, type SummaryMakerOptions } from './summary-maker.js';
export { type BreakerOptions } from './model-summarizer/model-breaker.js';
