import { lacksVersion, methodsAt, needsKey, routerPath } from './route-paths.js';

describe('paths', () => {
  it('are told to the router with literal colons doubled', () => {
    expect(routerPath('/v1/runs/{runId}:fork')).toBe('/v1/runs/:runId([^/:]+)::fork');
    expect(routerPath('/v1/lineages/{lineageId}/results')).toBe('/v1/lineages/:lineageId([^/:]+)/results');
  });

  it.each([
    ['/v1/runs', ['GET', 'HEAD', 'POST']],
    ['/v1/runs/r', ['GET', 'HEAD']],
    ['/v1/runs/r:fork', ['POST']],
    ['/v1/runs/r:spoon', []],
    ['/v1/runs/r/windows/1', ['GET', 'HEAD']],
    ['/v1/workgroups/w.1', ['GET', 'HEAD']],
    ['/v1/workgroups/w.1:advance', ['POST']],
    ['/v1/workgroups/w:advance:approve', []],
    ['/v1/workgroups/w/knowledge-deltas', ['POST']],
    ['/v1/workgroups/w/knowledge-deltas:flush', ['POST']],
    ['/v1/lineages/l:resume', ['POST']],
    ['/v1/lineages/l:resumes', []],
    ['/v1/openapiXjson', []],
    ['/', []],
  ])('%s serves %j', (path, methods) => expect(methodsAt(path)).toEqual(methods));

  it('without a version are known as such', () => {
    const roots = [
      '/runs',
      '/runs/x',
      '/runs:bulk-cancel',
      '/openapi.json',
      '/host/sample/x',
      '/workflows/w',
      '/workgroups/w:advance',
      '/lineages/l',
    ];
    expect(roots.filter((path) => !lacksVersion(path))).toEqual([]);
    expect(['/runsx', '/v1/runs', '/', '/.well-known/openwop', '/docs'].filter(lacksVersion)).toEqual([]);
  });

  it('under a version are secured, whatever they are, but what is public', () => {
    const secured = ['/v1', '/v1/', '/v1/runs', '/v1/nowhere', '/v1/runs:bulk-cancel', '/v1/host/sample/x'];
    expect(secured.filter((path) => !needsKey(path))).toEqual([]);
    expect(['/v1/interrupts', '/v1/interrupts/a/b'].filter((path) => !needsKey(path))).toEqual([]);
    const open = ['/v1/openapi.json', '/v1/interrupts/token', '/docs', '/v1x', '/.well-known/openwop'];
    expect(open.filter(needsKey)).toEqual([]);
  });
});
