export { keepableTurns, shapeBudget, type BudgetShape, type BudgetVerdict } from './budget/budget-shape.js';
export { shapeBesidePins } from './budget/shape-beside-pins.js';
export {
  normaliseMessage,
  repairText,
  UnsupportedContentError,
  type NormalisedMessage,
} from './messages/normalise-message.js';
export { cutMessage } from './rendering/cut-message.js';
export { codePoints, type Measure } from './rendering/measure.js';
export { renderMessage } from './rendering/render-message.js';
export { textEnds } from './rendering/text-ends.js';
export { waterFill } from './rendering/water-fill.js';
export { artifactIdsOf, entryMessage, readContents } from './provider-formats/fed-entries.js';
export {
  instructionMessage,
  MISSING_RESULT,
  OMITTED_RESULT,
  type FedMessage,
} from './provider-formats/fed-message.js';
export { toOpenAiMessages, type OpenAiMessage } from './provider-formats/openai-messages.js';
export { toAnthropicRequest, type AnthropicRequest } from './provider-formats/anthropic-messages.js';
export { renderSummary, escapeSummaryDelimiters } from './rendering/summary.js';
export { loopMessage, LOOP_TURN_TYPES } from './loop/loop-message.js';
export { returnedMessage } from './loop/returned-message.js';
export { newestOfIterations } from './windows/newest-of-iterations.js';
export { extractFacts, textFacts } from './facts/extract-facts.js';
export { type ExtractedFact } from './facts/fact-collector.js';
export { keyFacts, keyFactsOf } from './summaries/key-facts.js';
export { extractiveSummarizer, type ExtractiveOptions } from './summaries/extractive-summarizer.js';
export { proseSummary } from './summaries/prose-summary.js';
export { holdsSecret, withoutSecrets } from './summaries/redact.js';
export { redactJson, redactText } from './summaries/redact-json.js';
export {
  makeSummary,
  SummarySourceMissingError,
  type SummaryMakerPorts,
} from './summary-jobs/make-summary.js';
