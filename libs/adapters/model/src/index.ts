export { createModel } from './create-model.js';
export { type ModelLimits, type ModelOptions, type ModelProvider, type ModelSeams } from './model-options.js';
