import type { AnswerOf, BodyOf, PalimpsestClient } from '@palimpsest/client';

export type WorkgroupView = AnswerOf<'readWorkgroup'>;
export type LineageView = AnswerOf<'listLineages'>['lineages'][number];
export type OwnedPath = AnswerOf<'readOwnedPaths'>['paths'][number];
export type LineageDocument = AnswerOf<'readLineage'>;
export type RolloutView = AnswerOf<'changeStage'>;
export type Candidate = NonNullable<RolloutView['candidate']>;
export type RolloutStage = RolloutView['stage'];
export type Promotion = AnswerOf<'promoteRollout'>;
export type RolloutReport = AnswerOf<'reportRollout'>;
export type PromoteBody = { readonly [Key in keyof BodyOf<'promoteRollout'>]?: unknown };

/** What the commands ask a server of workgroups, lineages and rollouts. */
export class RegistryApi {
  constructor(private readonly client: PalimpsestClient) {}

  readWorkgroup(workgroupId: string): Promise<AnswerOf<'readWorkgroup'>> {
    return this.client.get('/v1/workgroups/{workgroupId}', { params: { path: { workgroupId } } });
  }

  /** A page; `evicted`: the newest that are gone as well. */
  listLineages(workgroupId: string, evicted: boolean, after?: string): Promise<AnswerOf<'listLineages'>> {
    const query = { ...(evicted && { evicted: 'true' as const }), ...(after !== undefined && { after }) };
    const params = { path: { workgroupId }, query };
    return this.client.get('/v1/workgroups/{workgroupId}/lineages', { params });
  }

  /** A page. */
  ownedPaths(workgroupId: string, after?: string): Promise<AnswerOf<'readOwnedPaths'>> {
    const params = { path: { workgroupId }, query: { ...(after !== undefined && { after }) } };
    return this.client.get('/v1/workgroups/{workgroupId}/owned-paths', { params });
  }

  readLineage(lineageId: string): Promise<AnswerOf<'readLineage'>> {
    return this.client.get('/v1/lineages/{lineageId}', { params: { path: { lineageId } } });
  }

  readRollouts(environment: string): Promise<AnswerOf<'readRollouts'>> {
    return this.client.get('/v1/rollouts/{environment}', { params: { path: { environment } } });
  }

  changeStage(environment: string, body: BodyOf<'changeStage'>): Promise<AnswerOf<'changeStage'>> {
    return this.client.post('/v1/rollouts/{environment}', { params: { path: { environment } }, body });
  }

  /** Whether the evidence is well formed the server says. */
  promote(environment: string, body: PromoteBody): Promise<AnswerOf<'promoteRollout'>> {
    return this.client.post('/v1/rollouts/{environment}/promotions', {
      params: { path: { environment } },
      body: body as BodyOf<'promoteRollout'>,
    });
  }

  rolloutReport(environment: string, family: string): Promise<AnswerOf<'reportRollout'>> {
    const params = { path: { environment }, query: { family } };
    return this.client.get('/v1/rollouts/{environment}/report', { params });
  }
}
