import { lacksVersion, methodsAt, needsKey, routerPath } from './route-paths.js';

describe('paths', () => {
  it('are told to the router with literal colons doubled', () => {
    expect(routerPath('/v1/runs/{runId}:fork')).toBe('/v1/runs/:runId([^/:]+)::fork');
  });

  it.each([
    ['/v1/runs', ['GET', 'HEAD', 'POST']],
    ['/v1/runs/r', ['GET', 'HEAD']],
    ['/v1/runs/r:fork', ['POST']],
    ['/v1/runs/r:spoon', []],
    ['/v1/runs/r/windows/1', ['GET', 'HEAD']],
    ['/v1/openapiXjson', []],
    ['/', []],
  ])('%s serves %j', (path, methods) => expect(methodsAt(path)).toEqual(methods));

  it('without a version are known as such', () => {
    expect(['/runs', '/runs/x', '/runs:bulk-cancel'].every(lacksVersion)).toBe(true);
    expect(['/runsx', '/v1/runs', '/'].some(lacksVersion)).toBe(false);
  });

  it('of runs are secured, whatever they are', () => {
    expect(['/v1/runs', '/v1/runs/x/nowhere', '/v1/runs:bulk-cancel'].every(needsKey)).toBe(true);
    expect(['/v1/runsx', '/v1/openapi.json', '/docs'].some(needsKey)).toBe(false);
  });
});
