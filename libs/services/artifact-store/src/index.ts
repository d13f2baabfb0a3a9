export { ArtifactStoreModule, type ArtifactStoreModuleOptions } from './artifact-store.module.js';
export {
  createArtifactListener,
  type ArtifactListener,
  type ArtifactListenerOptions,
} from './http/create-artifact-listener.js';
