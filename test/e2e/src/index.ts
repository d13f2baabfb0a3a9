export { Closers } from './closers.js';
export { Cluster } from './cluster.js';
export {
  startAllInOne,
  startSplit,
  type AllInOneDeployment,
  type Deployment,
  type SplitDeployment,
} from './deployment.js';
export { type Variables } from './service-process.js';
