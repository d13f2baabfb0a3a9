import type { JsonValue } from '@palimpsest/contracts';
import type { Promotion, RolloutView, Select, Selection } from '@palimpsest/contracts/registry';
import { changeStage, type StageChange } from '../domain/rollout/change-stage.js';
import { measurementRunIdOf, promote } from '../domain/rollout/promote.js';
import { viewOf } from '../domain/rollout/rollout-view.js';
import type { RolloutEvent } from '../domain/rollout/rollout-events.js';
import { select } from '../domain/rollout/select.js';
import type { RolloutStore } from '../store/rollout-store.js';
import type { TelemetryStore } from '../store/telemetry-store.js';
import { dispatchDecision } from './telemetry-events.js';
import { listed } from './telemetry-case.js';
import {
  CANDIDATE,
  evidence,
  EVIDENCE_ID,
  nameOf,
  rung,
  RUNGS,
  TRUSTED_KEYS,
  type EvidenceOptions,
  type RungName,
} from './rollout-cases.js';

export type RolloutStoreHarness = {
  /** Two instances over what is one store. */
  readonly stores: readonly [RolloutStore, RolloutStore];
  readonly telemetry: TelemetryStore;
  close(): Promise<void>;
};

type Place = { readonly tenantId: string; readonly environment: string };
type Sent = { readonly commandId?: string; readonly family?: string };

/** Commands on rollouts, as a caller sends them to an instance. */
export class RolloutCommands {
  #selections = 0;

  constructor(
    readonly place: Place,
    readonly store: RolloutStore,
  ) {}

  change(to: RungName, change: Partial<StageChange> & Sent = {}): Promise<RolloutView> {
    const command = { ...this.place, family: 'reuse', ...rung(to), ...change };
    return this.store.decide(command, (rollouts, moment) => changeStage(rollouts, command, moment));
  }

  select(change: Partial<Select> = {}): Promise<Selection> {
    const recommended: Pick<Select, 'recommendedMode' | 'reasonCodes' | 'taskCorpusId'> = {
      recommendedMode: 'resume',
      reasonCodes: ['RESUME_COMPATIBLE'],
      taskCorpusId: 'backend-refactor-12',
    };
    const command: Select = {
      ...this.place,
      family: 'reuse',
      actualMode: 'local',
      ...recommended,
      ...change,
    };
    this.#selections += 1;
    const eventId = `selection:${command.family}-${this.#selections}-${command.commandId ?? ''}`;
    return this.store.select(command, (rollout, now) => select(rollout, command, { now, eventId }));
  }

  promote(of: JsonValue, { family = 'reuse', commandId }: Sent = {}): Promise<Promotion> {
    const attempt = { family, evidenceArtifactId: EVIDENCE_ID, evidence: of, trustedKeys: TRUSTED_KEYS };
    const change = { ...this.place, family, commandId, measurementRunId: measurementRunIdOf(of) };
    return this.store.decide(change, (rollouts, moment) => promote(rollouts, attempt, moment));
  }

  /** Up from `off` to a rung, each stage made active on the way. */
  async climb(to: RungName, family = 'reuse'): Promise<void> {
    for (const name of RUNGS.slice(1, RUNGS.indexOf(to) + 1)) {
      if (name === 'observe') await this.change(name, { family, candidate: CANDIDATE });
      else if (name === 'shadow') await this.change(name, { family });
      else await this.promote(freshEvidence(), { family });
      await this.select({ family });
    }
  }

  async view(family = 'reuse'): Promise<RolloutView | undefined> {
    const families = await this.store.families(this.place.tenantId, this.place.environment);
    const reading = families.find(({ rollout }) => rollout.family === family);
    return reading && viewOf(reading.rollout, reading.isActive);
  }
}

let runs = 0;

/** Evidence of a measurement run of its own, made just now. */
export function freshEvidence(options: EvidenceOptions = {}): JsonValue {
  runs += 1;
  const measurement_run_id = `measurement-${runs.toString(16).padStart(16, '0')}`;
  return evidence({
    measuredAt: Date.now(),
    ...options,
    envelope: { measurement_run_id, ...options.envelope },
  });
}

/** What the promise comes to: its value, or the code of its refusal. */
export async function codeOr<Value>(work: Promise<Value>): Promise<Value | string> {
  try {
    return await work;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined) throw error;
    return code;
  }
}

const failedGates = ({ gates }: Promotion): readonly string[] =>
  gates.flatMap(({ gate, passed }) => (passed ? [] : [gate]));

/** What every `RolloutStore` keeps. `open` is called once; every case has a tenant of its own. */
export function rolloutStoreContract(name: string, open: () => Promise<RolloutStoreHarness>): void {
  describe(`RolloutStore: ${name}`, () => {
    let harness: RolloutStoreHarness;
    let tenants = 0;
    let one: RolloutCommands;
    let other: RolloutCommands;
    let elsewhere: RolloutCommands;
    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness.close());
    beforeEach(() => {
      const tenantId = `tenant-${(tenants += 1)}`;
      const place = { tenantId, environment: 'staging' };
      one = new RolloutCommands(place, harness.stores[0]);
      other = new RolloutCommands(place, harness.stores[1]);
      elsewhere = new RolloutCommands({ ...place, environment: 'production' }, harness.stores[1]);
    });
    const eventsOf = <Type extends RolloutEvent['type']>(type: Type, limit = 50) =>
      one.store.lastEvents({ ...one.place, family: 'reuse', type, limit });
    const changesOf = (limit?: number) => eventsOf('palimpsest.rollout.stage_changed', limit);
    const evaluationsOf = () => eventsOf('palimpsest.rollout.promotion_evaluated');

    describe('families', () => {
      it('are those that ever left off, by name, of the environment and the tenant', async () => {
        expect(await one.store.families(one.place.tenantId, 'staging')).toEqual([]);
        const answer = await one.change('observe', { candidate: CANDIDATE });
        expect(answer).toEqual({
          family: 'reuse',
          version: 1,
          stage: 'observe',
          canaryPercent: null,
          candidate: CANDIDATE,
          since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          active: false,
        });
        expect(await other.view()).toEqual(answer);
        await other.change('off');
        await one.change('observe', { family: 'capsules', candidate: CANDIDATE });
        const families = await other.store.families(one.place.tenantId, 'staging');
        expect(families.map(({ rollout }) => [rollout.family, rollout.stage, rollout.version])).toEqual([
          ['capsules', 'observe', 1],
          ['reuse', 'off', 2],
        ]);
        expect(await elsewhere.view()).toBeUndefined();
        expect(await one.store.families('nobody', 'staging')).toEqual([]);
      });

      it('keep nothing of a refused change', async () => {
        expect(await codeOr(one.change('shadow', { candidate: CANDIDATE }))).toBe('stage_not_next');
        expect(await one.view()).toBeUndefined();
        expect(await changesOf()).toEqual([]);
      });
    });

    describe('a stage is active', () => {
      it('once the selector recorded its event in it, not by what it recorded before', async () => {
        await one.change('observe', { candidate: CANDIDATE });
        expect(await codeOr(one.change('shadow'))).toBe('stage_not_active');
        await other.select({ family: 'capsules' });
        expect(await codeOr(one.change('shadow'))).toBe('stage_not_active');
        expect(await other.select()).toMatchObject({ stage: 'observe', recordActual: true });
        expect((await one.view())?.active).toBe(true);
        await one.change('shadow');
        expect((await one.view())?.active).toBe(false);
        expect(await codeOr(one.promote(freshEvidence()))).toBe('stage_not_active');
        await one.change('observe');
        expect(await one.view()).toMatchObject({ version: 3, active: false });
      });

      it('never in off', async () => {
        expect(await one.select()).not.toHaveProperty('eventId');
        await one.climb('observe');
        await one.change('off');
        await one.select();
        expect((await one.view())?.active).toBe(false);
      });

      it('not by a decision that a sender tells of', async () => {
        await one.change('observe', { candidate: CANDIDATE });
        const { tenantId } = one.place;
        await harness.telemetry.record(tenantId, 'staging', [{ id: 'd', event: dispatchDecision() }]);
        expect((await one.view())?.active).toBe(false);
      });

      it('records what is done and what is recommended under ids of their own', async () => {
        await one.change('observe', { candidate: CANDIDATE });
        await one.select();
        await one.change('shadow');
        const { eventId } = await one.select();
        const { tenantId } = one.place;
        const events = await listed({ store: harness.telemetry, tenantId }, 3, 'staging');
        const told = events.map(({ id, event }) => [id, event['mode'], event['reason_codes']]);
        expect(told.slice(1).sort()).toEqual([
          [eventId, 'local', ['CAPABILITY_FALLBACK']],
          [`${eventId}:recommended`, 'resume', ['RESUME_COMPATIBLE']],
        ]);
        expect(told[0]?.slice(1)).toEqual(['local', ['CAPABILITY_FALLBACK']]);
        const observed = await harness.telemetry.observed(tenantId, 'staging', null);
        expect(observed.map(({ mode, events: count }) => [mode, count])).toEqual([['local', 2]]);
      });

      it('not by a selection that was refused', async () => {
        await one.change('observe', { candidate: CANDIDATE });
        expect(await codeOr(one.select({ reasonCodes: ['x'] }))).toBe('context_refused');
        expect((await one.view())?.active).toBe(false);
      });
    });

    describe('promotions', () => {
      it('lead up rung by rung, each by a run of its own, and down again any way', async () => {
        await one.climb('on');
        expect(await other.view()).toMatchObject({
          stage: 'on',
          canaryPercent: null,
          version: 6,
          active: true,
        });
        await other.change('25');
        expect(await one.view()).toMatchObject({ stage: 'canary', canaryPercent: 25, version: 7 });
        const changes = await changesOf();
        expect(changes.map(({ payload }) => [nameOf(payload.to), payload.version, payload.by])).toEqual([
          ['observe', 1, 'operator'],
          ['shadow', 2, 'operator'],
          ['10', 3, 'promotion'],
          ['25', 4, 'promotion'],
          ['50', 5, 'promotion'],
          ['on', 6, 'promotion'],
          ['25', 7, 'operator'],
        ]);
        expect(changes.map(({ sequence }) => sequence)).toEqual([0, 1, 3, 5, 7, 9, 10]);
        expect((await changesOf(2)).map(({ sequence }) => sequence)).toEqual([9, 10]);
        expect((await evaluationsOf()).map(({ sequence }) => sequence)).toEqual([2, 4, 6, 8]);
      });

      it('use a run up, here and in another environment of the tenant', async () => {
        await Promise.all([one.climb('shadow'), elsewhere.climb('shadow')]);
        const of = freshEvidence();
        expect(failedGates(await one.promote(of))).toEqual([]);
        await one.select();
        for (const again of [one, elsewhere]) {
          const refused = await again.promote(of);
          expect([refused.promoted, failedGates(refused)]).toEqual([false, ['provenance']]);
        }
        expect(await elsewhere.view()).toMatchObject({ stage: 'shadow' });
        expect(failedGates(await elsewhere.promote(freshEvidence()))).toEqual([]);
      });

      it('that fail use up nothing, and are recorded', async () => {
        await one.climb('shadow');
        const tight = freshEvidence({ thresholds: { median_cost_reduction: 0.30000000000000004 } });
        const refused = await one.promote(tight);
        expect([refused.promoted, failedGates(refused)]).toEqual([false, ['median_cost']]);
        const [event] = await evaluationsOf();
        expect(event).toMatchObject({ sequence: refused.sequence, recordedAt: refused.evaluatedAt });
        expect(event?.payload.gates).toEqual(refused.gates);
        expect(refused.gates).toContainEqual({
          gate: 'median_cost',
          figure: 0.25,
          threshold: 0.30000000000000004,
          passed: false,
        });
        const { thresholds: _, ...same } = tight as Record<string, JsonValue>;
        expect(await one.promote(same)).toMatchObject({ promoted: true, sequence: refused.sequence + 1 });
      });
    });

    describe('a command id', () => {
      it('gets the same answer again, whatever happened since', async () => {
        const first = await one.change('observe', { candidate: CANDIDATE, commandId: 'c-1' });
        await one.change('off');
        expect(await other.change('observe', { candidate: CANDIDATE, commandId: 'c-1' })).toEqual(first);
        expect(await other.store.answered({ ...one.place, commandId: 'c-1' })).toEqual(first);
        expect(await one.view()).toMatchObject({ stage: 'off', version: 2 });
      });

      it('gets the same refusal again, whatever happened since', async () => {
        expect(await codeOr(one.change('shadow', { candidate: CANDIDATE, commandId: 'c-1' }))).toBe(
          'stage_not_next',
        );
        await one.climb('observe');
        const again = other.change('shadow', { commandId: 'c-1' });
        await expect(again).rejects.toMatchObject({
          code: 'stage_not_next',
          details: { family: 'reuse', version: 0 },
        });
        expect(await codeOr(other.store.answered({ ...one.place, commandId: 'c-1' }))).toBe('stage_not_next');
      });

      it("is the environment's", async () => {
        await one.change('observe', { candidate: CANDIDATE, commandId: 'c-1' });
        expect(await elsewhere.store.answered({ ...elsewhere.place, commandId: 'c-1' })).toBeUndefined();
        await elsewhere.change('observe', { candidate: CANDIDATE, commandId: 'c-1' });
        expect(await elsewhere.view()).toMatchObject({ version: 1 });
        expect(await one.store.answered(one.place)).toBeUndefined();
      });

      it('promotes once', async () => {
        await one.climb('shadow');
        const of = freshEvidence();
        const answers = await Promise.all(
          [one, other, one].map((each) => each.promote(of, { commandId: 'p-1' })),
        );
        expect(answers[0]).toMatchObject({ promoted: true });
        for (const answer of answers) expect(answer).toEqual(answers[0]);
        expect(await one.view()).toMatchObject({ version: 3, canaryPercent: 10 });
      });

      it('selects once, and records one event', async () => {
        await one.change('observe', { candidate: CANDIDATE });
        const answers = await Promise.all([one, other, one].map((each) => each.select({ commandId: 's-1' })));
        for (const answer of answers) expect(answer).toEqual(answers[0]);
        await one.change('off');
        expect(await other.select({ commandId: 's-1' })).toEqual(answers[0]);
        const observed = await harness.telemetry.observed(one.place.tenantId, 'staging', null);
        expect(observed.map(({ events }) => events)).toEqual([1]);
      });
    });

    describe('at once', () => {
      it('one of sixteen changes of a version wins', async () => {
        await one.climb('observe');
        const sent = Array.from({ length: 16 }, (_, place) =>
          codeOr(
            (place % 2 === 0 ? one : other).change(place % 4 < 2 ? 'shadow' : 'off', { expectedVersion: 1 }),
          ),
        );
        const outcomes = await Promise.all(sent);
        expect(outcomes.filter((outcome) => outcome === 'version_conflict')).toHaveLength(15);
        const won = outcomes.find((outcome) => typeof outcome === 'object');
        expect(await one.view()).toEqual(won);
        expect(won).toMatchObject({ version: 2 });
        expect((await changesOf()).map(({ sequence }) => sequence)).toEqual([0, 1]);
      });

      it('one of eight families is under way', async () => {
        const families = Array.from({ length: 8 }, (_, place) => `family-${place}`);
        const outcomes = await Promise.all(
          families.map((family, place) =>
            codeOr((place % 2 === 0 ? one : other).change('observe', { family, candidate: CANDIDATE })),
          ),
        );
        expect(outcomes.filter((outcome) => outcome === 'intervention_in_progress')).toHaveLength(7);
        const known = await one.store.families(one.place.tenantId, 'staging');
        expect(known.map(({ rollout }) => rollout.stage)).toEqual(['observe']);
      });

      it.each(['one environment', 'two environments'])(
        'one of two promotions by one run wins in %s',
        async (where) => {
          const second = where === 'one environment' ? other : elsewhere;
          await one.climb('shadow');
          if (second === elsewhere) await second.climb('shadow');
          const of = freshEvidence();
          const outcomes = await Promise.all([one.promote(of), second.promote(of)]);
          const failures = outcomes.map((outcome) => [outcome.promoted, ...failedGates(outcome)]);
          expect(failures).toHaveLength(2);
          expect(failures).toEqual(expect.arrayContaining([[true], [false, 'provenance']]));
          const climbed = outcomes[0]?.promoted ? one : second;
          expect(await climbed.view()).toMatchObject({ version: 3, canaryPercent: 10 });
        },
      );
    });
  });
}
