// Generated from the gateway's OpenAPI document, do not edit: `npm run generate`.
/* eslint-disable max-lines */

export interface paths {
  readonly '/.well-known/openwop': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * What this host serves
     * @description The capabilities of the running configuration. Carries an ETag; If-None-Match answers 304 while nothing has changed.
     *
     *     Public.
     */
    readonly get: operations['discovery'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/healthz': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The process lives
     * @description Public.
     */
    readonly get: operations['healthz'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/readyz': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The process can do its work; 503 where it cannot
     * @description Public.
     */
    readonly get: operations['readyz'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/context/{operation}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Decide by the context-efficiency contract, keeping nothing
     * @description operation is route, lineage, capsule, telemetry, rollout, result-policy, vault-delta, dispatch or promotion. Request and answer are the contract’s: 200 with ok false is its refusal, also of a body that is no JSON object. Owned paths are judged by their text alone.
     *
     *     Scopes of the key: context:decide.
     */
    readonly post: operations['decideContext'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/host/keys': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the public key that certificates are signed with
     * @description None where the host signs nothing. Keys of before a rotation are not among them.
     *
     *     Public.
     */
    readonly get: operations['readHostKeys'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/interrupts/{token}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the interrupt that a token stands for
     * @description The token is the credential: no key is asked for.
     *
     *     Public.
     */
    readonly get: operations['inspectInterrupt'];
    readonly put?: never;
    /**
     * Answer the interrupt that a token stands for
     * @description The token is the credential: no key is asked for. One with the intent "inspect" answers nothing.
     *
     *     Public.
     */
    readonly post: operations['resolveByToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/lineages/{lineageId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a lineage, and why it was refused
     * @description refusals holds the newest 20, newest last.
     *
     *     Scopes of the key: workgroups:read.
     */
    readonly get: operations['readLineage'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/lineages/{lineageId}:evict': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Evict a lineage, whoever holds it
     * @description LEASE_EXPIRED and FINAL_GATE are the clock’s and the gate’s reasons, and no request’s.
     *
     *     Scopes of the key: workgroups:coordinate.
     */
    readonly post: operations['evictLineage'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/lineages/{lineageId}:inherit': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Begin a lineage with what another knows
     * @description record is the new lineage’s, current the facts by which the one in the path is judged. With delegationId the unit is the one that was delegated.
     *
     *     Scopes of the key: workgroups:write.
     */
    readonly post: operations['inheritLineage'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/lineages/{lineageId}:reconcile': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Name the capsule that a lineage goes on from
     * @description The capsule is stored before. fence is asked for where somebody holds the lineage.
     *
     *     Scopes of the key: workgroups:write.
     */
    readonly post: operations['reconcileLineage'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/lineages/{lineageId}:release': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Be done with a lineage, and leave its worker warm
     * @description Evicted instead where the scope is complete and nothing likely follows.
     *
     *     Scopes of the key: workgroups:write.
     */
    readonly post: operations['releaseLineage'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/lineages/{lineageId}:renew': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Hold a lineage for longer
     * @description Scopes of the key: workgroups:write.
     */
    readonly post: operations['renewLineage'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/lineages/{lineageId}:resume': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Go on as a worker whose lineage is hot
     * @description current holds the facts of now (§5.2). The recorded lineage is judged by them (§5.3), whatever the caller’s copy says; a refusal tells the state and what invalidates it.
     *
     *     Scopes of the key: workgroups:write.
     */
    readonly post: operations['resumeLineage'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/lineages/{lineageId}/results': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Record what a holder’s work came to
     * @description By the contract’s result policy (§9). It is evidence: no phase moves and nothing is approved by it.
     *
     *     Scopes of the key: workgroups:write.
     */
    readonly post: operations['recordResult'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/openapi.json': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * This document
     * @description Public.
     */
    readonly get: operations['openApi'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/rollouts/{environment}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read at which stage each family of interventions is
     * @description Scopes of the key: rollouts:read.
     */
    readonly get: operations['readRollouts'];
    readonly put?: never;
    /**
     * Move a family to another stage
     * @description One rung up without a promotion as far as shadow; down to any rung at any time. A family that leaves off names its candidate.
     *
     *     Scopes of the key: rollouts:manage.
     */
    readonly post: operations['changeStage'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/rollouts/{environment}:select': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Ask whether a recommendation is to be executed, in the recorded stage
     * @description The same corpus id is answered the same while the stage stays. What is done is recorded as an event, what is recommended as another.
     *
     *     Scopes of the key: workgroups:write.
     */
    readonly post: operations['selectRollout'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/rollouts/{environment}/promotions': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Ask for the next rung, with signed measurements
     * @description Every gate is answered with its figure and its threshold; promoted false is an answer, too. A measurement run that promoted is used up.
     *
     *     Scopes of the key: rollouts:manage.
     */
    readonly post: operations['promoteRollout'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/rollouts/{environment}/report': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read what a family’s last promotion was decided by, and what was observed since its last change
     * @description Observed in all of the environment, by how work was done; an event without a mode counts under that of the newest decision done for its corpus id. Billed figures are of sources that vouch for them, and null where none does.
     *
     *     Scopes of the key: rollouts:read.
     */
    readonly get: operations['reportRollout'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List runs, newest first
     * @description Scopes of the key: runs:read.
     */
    readonly get: operations['listRuns'];
    readonly put?: never;
    /**
     * Start a run of a workflow, or one whose loop is yours
     * @description With workflowId "palimpsest-external" the loop is yours: configurable.context declares the token budget of its transcript windows, and the answer holds the settings in effect. Any other workflow is executed by the host: where it has an execution loop, configurable.context may lower the host’s budget and names no other unit; inputs and configurable are checked against it here, and secrets in what is recorded are redacted. "X-Dedup: enforce" refuses a second run of the same workflow and scopeId beside one that has not ended.
     *
     *     Scopes of the key: runs:create.
     */
    readonly post: operations['createRun'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs:bulk-cancel': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Cancel up to 100 runs
     * @description One result for each id, in their order. 200 even where none could be cancelled.
     *
     *     Scopes of the key: runs:cancel.
     */
    readonly post: operations['bulkCancelRuns'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a run’s snapshot
     * @description interrupt is what the run waits for; its token is shown to keys with approvals:respond. The ETag changes with every event of the run.
     *
     *     Scopes of the key: runs:read.
     */
    readonly get: operations['readRun'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}:fork': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Fork a run: replay what was recorded, or branch off
     * @description runOptionsOverlay is for a branch: the settings it runs on under, as the event palimpsest.run.overlaid records them. tags are replaced; configurable, its context and metadata are laid over those of the source.
     *
     *     Scopes of the key: runs:create, runs:read.
     */
    readonly post: operations['forkRun'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/artifacts/{artifactId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read content that the log refers to
     * @description Scopes of the key: artifacts:read.
     */
    readonly get: operations['readArtifact'];
    readonly put?: never;
    readonly post?: never;
    /**
     * Erase content, with all summaries and cut texts that stand for it
     * @description For every run that refers to it: the source, its forks, forks of these. artifactIds are all that is erased, the one named first; asked again, the answer is the same. Events stay, and windows that fed the content answer artifact_erased.
     *
     *     Scopes of the key: artifacts:erase.
     */
    readonly delete: operations['eraseArtifact'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/cancel': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Cancel a run
     * @description A run that has ended stays as it is: the answer is its status. A replay that has yet to repeat its source does not end before.
     *
     *     Scopes of the key: runs:cancel.
     */
    readonly post: operations['cancelRun'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/certificate': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Take the certificate of a run, to be checked without this server
     * @description Lines of JSON: the run, its events with their links, the hashes of the content that they name, the signature of the host. Content is not in it. An answer without the last line, "end", is none. capability_required where the host has no key, or the run is older than the chains of the log.
     *
     *     Scopes of the key: runs:read, artifacts:read.
     */
    readonly get: operations['readCertificate'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/content': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /**
     * Erase the content of a run that no other run uses
     * @description The run gives up what it said and what it reads of its sources. A fork uses what its source said, also what came after the fork point. erased is how much this request erased: what was erased before is not counted. kept is how much of what was given up another run still uses; it goes with the last of them. Events stay. What the run says afterwards is not concerned.
     *
     *     Scopes of the key: artifacts:erase.
     */
    readonly delete: operations['eraseContent'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/diff': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Compare two runs: where they diverge, and their windows side by side
     * @description with names the other run. Events are compared without ids and times; what one of the runs shares with the other is not read. A window is identical where it fed the same stored texts. At most 500 iterations a page, as of usage; the rest of the answer is over the whole runs.
     *
     *     Scopes of the key: runs:read.
     */
    readonly get: operations['diffRuns'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/events': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the log, or follow it as server-sent events
     * @description With "Accept: text/event-stream" the log is followed: id is the sequence, "Last-Event-ID" resumes after it, and the stream closes after the terminal event.
     *
     *     Scopes of the key: runs:read.
     */
    readonly get: operations['readEvents'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/events/poll': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Ask for the events after a sequence, and wait for them
     * @description Answers at once where there are events after lastSequence (absent: all), or where the run has ended; else it waits up to timeout seconds. At most 500 events a page: go on from the last one until isComplete.
     *
     *     Scopes of the key: runs:read.
     */
    readonly get: operations['pollEvents'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/finish': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Complete a run
     * @description Scopes of the key: runs:create.
     */
    readonly post: operations['finishRun'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/interrupts/{nodeId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Answer what a node of a run waits for
     * @description Scopes of the key: approvals:respond.
     */
    readonly post: operations['resolveInterrupt'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/pins': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List what is pinned, oldest first
     * @description Scopes of the key: runs:read.
     */
    readonly get: operations['listPins'];
    readonly put?: never;
    /**
     * Pin a text, or what an event says: every window feeds it verbatim
     * @description Either text or eventId. Of an own loop any message can be pinned, of a run with an execution loop any event of its transcript. Pins are within the budget, at most 64 a run: one that would leave no room for the turns to keep is refused.
     *
     *     Scopes of the key: runs:create.
     */
    readonly post: operations['addPin'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/pins/{pinId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /**
     * Remove a pin: windows taken from then on are without it
     * @description Scopes of the key: runs:create.
     */
    readonly delete: operations['removePin'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/turns': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Append chat messages
     * @description OpenAI chat messages: system, user, assistant with tool_calls, tool. All are appended, or none. expectedSequence is compared with lastMessageSequence (-1: no message yet).
     *
     *     Scopes of the key: runs:create.
     */
    readonly post: operations['appendTurns'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/usage': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Tokens fed against the whole transcript, per iteration and in total
     * @description At most 500 iterations a page: nextIteration, where there is one, is the next fromIteration. total is over the whole run.
     *
     *     Scopes of the key: runs:read.
     */
    readonly get: operations['readUsage'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/verification': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Check the log of a run, derive every window again and compare
     * @description Of a run of any kind: sequences, causes, the chain of hashes and the content that events name are checked, windows derived again, and a fork is compared with its source. firstDifference is the one of the lowest sequence.
     *
     *     Scopes of the key: runs:read.
     */
    readonly get: operations['verifyRun'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/windows': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Take the window of the next model call
     * @description Never above the budget, and recorded. Asked again before another message is appended, it answers the same window.
     *
     *     Scopes of the key: runs:create.
     */
    readonly post: operations['planWindow'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/runs/{runId}/windows/{iteration}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a recorded window, and why each turn was fed, elided, summarized or evicted
     * @description Scopes of the key: runs:read.
     */
    readonly get: operations['readWindow'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/telemetry/events': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read efficiency events, in the order in which they were recorded
     * @description next, where there is one, is the next after.
     *
     *     Scopes of the key: telemetry:read.
     */
    readonly get: operations['listTelemetry'];
    readonly put?: never;
    /**
     * Record efficiency events
     * @description Each under an id of its sender’s, recorded once. All of a batch are recorded, or none: context_refused names the first that the contract refuses by its index, and the contract’s code.
     *
     *     Scopes of the key: telemetry:write.
     */
    readonly post: operations['recordTelemetry'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workflows/{workflowId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the definition of a workflow
     * @description Scopes of the key: manifest:read.
     */
    readonly get: operations['readWorkflow'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a workgroup
     * @description Scopes of the key: workgroups:read.
     */
    readonly get: operations['readWorkgroup'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}:advance': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Move a workgroup to another phase
     * @description For whoever holds the seat.
     *
     *     Scopes of the key: workgroups:coordinate.
     */
    readonly post: operations['advanceWorkgroup'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}:approve': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Record an approval
     * @description For whoever holds the seat. With finalGate every lineage of the workgroup is evicted.
     *
     *     Scopes of the key: workgroups:coordinate.
     */
    readonly post: operations['approveInWorkgroup'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}:coordinate': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Take the coordinator’s seat, or keep it
     * @description Opens the workgroup where there is none. Whoever names the fence that holds the seat keeps it for longer; takeOver ends the lease of whoever holds it.
     *
     *     Scopes of the key: workgroups:coordinate.
     */
    readonly post: operations['coordinateWorkgroup'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}/capsules': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Check, seal and keep a capsule
     * @description Evidence is moved out where the capsule would be larger than maxBytes (default 12288) and artifactRoots authorize artifactPath. The same capsule again is the same one. context_refused has the contract’s code.
     *
     *     Scopes of the key: workgroups:write.
     */
    readonly post: operations['recordCapsule'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}/capsules/{capsuleHash}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a capsule as it was sealed
     * @description Scopes of the key: workgroups:read.
     */
    readonly get: operations['readCapsule'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}/delegations': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List delegations, oldest first
     * @description after is the next of the page before, or a sequence; at most 500 a page and 512 KiB, 100 where limit is left out.
     *
     *     Scopes of the key: workgroups:read.
     */
    readonly get: operations['listDelegations'];
    readonly put?: never;
    /**
     * Record a delegation before it is made, and hear how to make it
     * @description The decision is the contract’s dispatch (§11) over recorded state: writers at work, inherited context, depth, the lineage’s record, the phase and the rollout’s stage are the registry’s; differences names what was said otherwise. selectedMode is what to do.
     *
     *     Scopes of the key: workgroups:write.
     */
    readonly post: operations['delegate'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}/events': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read what happened in a workgroup, oldest first
     * @description after is the next of the page before, or a sequence; at most 500 a page and 512 KiB, 100 where limit is left out.
     *
     *     Scopes of the key: workgroups:read.
     */
    readonly get: operations['readWorkgroupEvents'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}/knowledge-deltas': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Hand in a piece of knowledge for the vault
     * @description Judged by the contract (§10) with the previous deltas and hashes given here. calls is what to write to the vault now; what is batched waits for the gate, and what is skipped is kept nowhere.
     *
     *     Scopes of the key: workgroups:write.
     */
    readonly post: operations['acceptKnowledge'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}/knowledge-deltas:flush': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * At a gate: take all knowledge that waits, one call for each writer
     * @description Scopes of the key: workgroups:write.
     */
    readonly post: operations['flushKnowledge'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}/lineages': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the lineages of a workgroup, by id
     * @description Held and idle ones; with evicted=true the newest 200 of those as well. after is the next of the page before; a page has at most 512 KiB. One that is listed all the while is on exactly one page.
     *
     *     Scopes of the key: workgroups:read.
     */
    readonly get: operations['listLineages'];
    readonly put?: never;
    /**
     * Register a worker’s lineage, and take its first lease
     * @description record is the contract’s agent lineage (§5.1); schema, times, lease and workgroup may be left out, and are the registry’s. With delegationId the unit is the one that was delegated. Of two writers whose paths overlap one is refused.
     *
     *     Scopes of the key: workgroups:write.
     */
    readonly post: operations['registerLineage'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}/loading-plan': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Plan what a worker loads, in which order and why
     * @description Records nothing. The workgroup and its phase are the recorded ones.
     *
     *     Scopes of the key: workgroups:read.
     */
    readonly post: operations['planLoading'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}/mcp-health': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Ask whether to use an MCP server, leave it, or check it first
     * @description ttlMinutes is how long a report is believed; default 10, 0 trusts none.
     *
     *     Scopes of the key: workgroups:read.
     */
    readonly get: operations['readMcpHealth'];
    readonly put?: never;
    /**
     * Tell the workgroup how an MCP server was found
     * @description Scopes of the key: workgroups:write.
     */
    readonly post: operations['reportMcpHealth'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/v1/workgroups/{workgroupId}/owned-paths': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List who owns which paths now, by path
     * @description after is the next of the page before; a page has at most 512 KiB. A path that is owned all the while is on exactly one page.
     *
     *     Scopes of the key: workgroups:read.
     */
    readonly get: operations['readOwnedPaths'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    readonly Error: {
      readonly details?: {
        readonly [key: string]: unknown;
      };
      readonly error: string;
      readonly message: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  readonly discovery: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'If-None-Match'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly fixtures: readonly string[];
            readonly limits: {
              readonly [key: string]: number;
            };
            readonly protocolVersion: string;
            readonly schemaVersions: {
              readonly [key: string]: number;
            };
            readonly supportedEnvelopes: readonly string[];
          } & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description As the client has it. */
      readonly 304: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly healthz: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly checks?: {
              readonly [key: string]: 'ok' | 'failing';
            };
            readonly status: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readyz: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly checks?: {
              readonly [key: string]: 'ok' | 'failing';
            };
            readonly status: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly decideContext: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly operation: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly [key: string]: unknown;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json':
            | {
                /** @constant */
                readonly ok: true;
                readonly operation: string;
                readonly result: unknown;
              }
            | {
                readonly code: string;
                readonly message: string;
                /** @constant */
                readonly ok: false;
              };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readHostKeys: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly keys: readonly {
              /** @constant */
              readonly algorithm: 'Ed25519';
              readonly keyId: string;
              readonly publicKey: string;
            }[];
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly inspectInterrupt: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly token: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: {
              readonly [key: string]: unknown;
            };
            /** Format: date-time */
            readonly expiresAt: string;
            readonly interruptId: string;
            /** @enum {string} */
            readonly kind: 'approval' | 'clarification' | 'external-event' | 'custom' | 'low-confidence';
            readonly nodeId: string;
            readonly resumeSchema?: {
              readonly [key: string]: unknown;
            };
            readonly runId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found, interrupt_not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description interrupt_already_resolved */
      readonly 409: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description interrupt_expired */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly resolveByToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly token: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly resumeValue: unknown;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly runId: string;
            /** @enum {string} */
            readonly status:
              | 'pending'
              | 'running'
              | 'paused'
              | 'waiting-approval'
              | 'waiting-input'
              | 'waiting-external'
              | 'completed'
              | 'failed'
              | 'cancelling'
              | 'cancelled';
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found, interrupt_not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, interrupt_already_resolved */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description interrupt_expired */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description correlation_mismatch */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readLineage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly lineageId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly depth: number;
            /** @enum {string} */
            readonly eviction?:
              | 'LEASE_EXPIRED'
              | 'FINAL_GATE'
              | 'INCOMPATIBLE'
              | 'SENSITIVITY_TRANSITION'
              | 'CAPACITY_PRESSURE'
              | 'NO_LIKELY_CONTINUATION';
            /** @enum {string} */
            readonly grant:
              'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
            readonly isWriter: boolean;
            readonly lease?: {
              /** Format: date-time */
              readonly expiresAt: string;
              readonly fence: number;
            };
            readonly lineageId: string;
            readonly ownedPaths: readonly string[];
            readonly reconcileRequired: boolean;
            readonly record: {
              readonly [key: string]: unknown;
            };
            readonly refusals: readonly {
              readonly code: string;
              readonly invalidations: readonly string[];
              readonly reasonCodes?: readonly string[];
              /** Format: date-time */
              readonly refusedAt: string;
              readonly sequence: number;
              readonly state?: string;
            }[];
            /** @enum {string} */
            readonly status: 'held' | 'idle' | 'evicted';
            readonly workgroupId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly evictLineage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly lineageId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @enum {string} */
          readonly reason:
            'INCOMPATIBLE' | 'SENSITIVITY_TRANSITION' | 'CAPACITY_PRESSURE' | 'NO_LIKELY_CONTINUATION';
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly depth: number;
            /** @enum {string} */
            readonly eviction?:
              | 'LEASE_EXPIRED'
              | 'FINAL_GATE'
              | 'INCOMPATIBLE'
              | 'SENSITIVITY_TRANSITION'
              | 'CAPACITY_PRESSURE'
              | 'NO_LIKELY_CONTINUATION';
            /** @enum {string} */
            readonly grant:
              'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
            readonly isWriter: boolean;
            readonly lease?: {
              /** Format: date-time */
              readonly expiresAt: string;
              readonly fence: number;
            };
            readonly lineageId: string;
            readonly ownedPaths: readonly string[];
            readonly reconcileRequired: boolean;
            readonly record: {
              readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly status: 'held' | 'idle' | 'evicted';
            readonly workgroupId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, lineage_evicted */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly inheritLineage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly lineageId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly current: {
            readonly [key: string]: unknown;
          };
          readonly delegationId?: string;
          readonly isWriter?: boolean;
          readonly leaseMs?: number;
          /** @enum {string} */
          readonly mode: 'inherit-full' | 'inherit-recent';
          readonly ownedFiles?: readonly string[];
          readonly parentFence?: number;
          readonly record: {
            readonly [key: string]: unknown;
          };
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 201: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly differences: readonly string[];
            /** Format: date-time */
            readonly expiresAt: string;
            readonly fence: number;
            readonly lineage: {
              readonly depth: number;
              /** @enum {string} */
              readonly eviction?:
                | 'LEASE_EXPIRED'
                | 'FINAL_GATE'
                | 'INCOMPATIBLE'
                | 'SENSITIVITY_TRANSITION'
                | 'CAPACITY_PRESSURE'
                | 'NO_LIKELY_CONTINUATION';
              /** @enum {string} */
              readonly grant:
                'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
              readonly isWriter: boolean;
              readonly lease?: {
                /** Format: date-time */
                readonly expiresAt: string;
                readonly fence: number;
              };
              readonly lineageId: string;
              readonly ownedPaths: readonly string[];
              readonly reconcileRequired: boolean;
              readonly record: {
                readonly [key: string]: unknown;
              };
              /** @enum {string} */
              readonly status: 'held' | 'idle' | 'evicted';
              readonly workgroupId: string;
            };
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, stale_fence, delegation_mismatch, lineage_exists, lineage_evicted, inheritance_refused, writer_scope_conflict, inherited_writer_limit, nesting_limit, workgroup_full */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description context_refused, private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly reconcileLineage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly lineageId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly capsuleHash: string;
          readonly fence?: number;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly depth: number;
            /** @enum {string} */
            readonly eviction?:
              | 'LEASE_EXPIRED'
              | 'FINAL_GATE'
              | 'INCOMPATIBLE'
              | 'SENSITIVITY_TRANSITION'
              | 'CAPACITY_PRESSURE'
              | 'NO_LIKELY_CONTINUATION';
            /** @enum {string} */
            readonly grant:
              'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
            readonly isWriter: boolean;
            readonly lease?: {
              /** Format: date-time */
              readonly expiresAt: string;
              readonly fence: number;
            };
            readonly lineageId: string;
            readonly ownedPaths: readonly string[];
            readonly reconcileRequired: boolean;
            readonly record: {
              readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly status: 'held' | 'idle' | 'evicted';
            readonly workgroupId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, stale_fence, lineage_evicted */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly releaseLineage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly lineageId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly fence: number;
          readonly likelyContinuation?: boolean;
          readonly scopeComplete?: boolean;
          readonly warmMs?: number;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly depth: number;
            /** @enum {string} */
            readonly eviction?:
              | 'LEASE_EXPIRED'
              | 'FINAL_GATE'
              | 'INCOMPATIBLE'
              | 'SENSITIVITY_TRANSITION'
              | 'CAPACITY_PRESSURE'
              | 'NO_LIKELY_CONTINUATION';
            /** @enum {string} */
            readonly grant:
              'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
            readonly isWriter: boolean;
            readonly lease?: {
              /** Format: date-time */
              readonly expiresAt: string;
              readonly fence: number;
            };
            readonly lineageId: string;
            readonly ownedPaths: readonly string[];
            readonly reconcileRequired: boolean;
            readonly record: {
              readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly status: 'held' | 'idle' | 'evicted';
            readonly workgroupId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, stale_fence */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly renewLineage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly lineageId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly fence: number;
          readonly leaseMs?: number;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly differences: readonly string[];
            /** Format: date-time */
            readonly expiresAt: string;
            readonly fence: number;
            readonly lineage: {
              readonly depth: number;
              /** @enum {string} */
              readonly eviction?:
                | 'LEASE_EXPIRED'
                | 'FINAL_GATE'
                | 'INCOMPATIBLE'
                | 'SENSITIVITY_TRANSITION'
                | 'CAPACITY_PRESSURE'
                | 'NO_LIKELY_CONTINUATION';
              /** @enum {string} */
              readonly grant:
                'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
              readonly isWriter: boolean;
              readonly lease?: {
                /** Format: date-time */
                readonly expiresAt: string;
                readonly fence: number;
              };
              readonly lineageId: string;
              readonly ownedPaths: readonly string[];
              readonly reconcileRequired: boolean;
              readonly record: {
                readonly [key: string]: unknown;
              };
              /** @enum {string} */
              readonly status: 'held' | 'idle' | 'evicted';
              readonly workgroupId: string;
            };
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, stale_fence */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly resumeLineage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly lineageId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly current: {
            readonly [key: string]: unknown;
          };
          readonly leaseMs?: number;
          readonly ownedFiles?: readonly string[];
          readonly record?: {
            readonly [key: string]: unknown;
          };
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly differences: readonly string[];
            /** Format: date-time */
            readonly expiresAt: string;
            readonly fence: number;
            readonly lineage: {
              readonly depth: number;
              /** @enum {string} */
              readonly eviction?:
                | 'LEASE_EXPIRED'
                | 'FINAL_GATE'
                | 'INCOMPATIBLE'
                | 'SENSITIVITY_TRANSITION'
                | 'CAPACITY_PRESSURE'
                | 'NO_LIKELY_CONTINUATION';
              /** @enum {string} */
              readonly grant:
                'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
              readonly isWriter: boolean;
              readonly lease?: {
                /** Format: date-time */
                readonly expiresAt: string;
                readonly fence: number;
              };
              readonly lineageId: string;
              readonly ownedPaths: readonly string[];
              readonly reconcileRequired: boolean;
              readonly record: {
                readonly [key: string]: unknown;
              };
              /** @enum {string} */
              readonly status: 'held' | 'idle' | 'evicted';
              readonly workgroupId: string;
            };
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, lineage_held, lineage_evicted, resume_refused, writer_scope_conflict, inherited_writer_limit */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description context_refused, private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly recordResult: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly lineageId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly artifactIds?: readonly string[];
          readonly fence: number;
          readonly policy: {
            readonly [key: string]: unknown;
          };
          readonly taskId: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 201: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            /** @enum {string} */
            readonly mode: 'ephemeral' | 'durable' | 'artifact';
            readonly sequence: number;
            readonly writeProhibited: boolean;
            readonly writes: {
              readonly [key: string]: boolean;
            };
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, stale_fence */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description context_refused, private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly openApi: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly openapi: string;
          } & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readRollouts: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly environment: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly environment: string;
            readonly families: readonly {
              readonly active: boolean;
              readonly canaryPercent: number | null;
              readonly candidate: {
                readonly candidateVersion: string;
                readonly corpusVersion: string;
                readonly runtimeDigest: string;
              } | null;
              readonly family: string;
              readonly since: string | null;
              /** @enum {string} */
              readonly stage: 'off' | 'observe' | 'shadow' | 'canary' | 'on';
              readonly version: number;
            }[];
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly changeStage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly environment: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly canaryPercent?: number;
          readonly candidate?: {
            readonly candidateVersion: string;
            readonly corpusVersion: string;
            readonly runtimeDigest: string;
          };
          readonly expectedVersion?: number;
          readonly family: string;
          /** @enum {string} */
          readonly stage: 'off' | 'observe' | 'shadow' | 'canary' | 'on';
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly active: boolean;
            readonly canaryPercent: number | null;
            readonly candidate: {
              readonly candidateVersion: string;
              readonly corpusVersion: string;
              readonly runtimeDigest: string;
            } | null;
            readonly family: string;
            readonly since: string | null;
            /** @enum {string} */
            readonly stage: 'off' | 'observe' | 'shadow' | 'canary' | 'on';
            readonly version: number;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, version_conflict, stage_not_next, stage_not_active, promotion_required, intervention_in_progress, environment_full */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly selectRollout: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly environment: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @enum {string} */
          readonly actualMode:
            'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
          readonly family: string;
          /** @enum {string} */
          readonly provider?: 'claude' | 'codex' | 'other';
          readonly reasonCodes?: readonly (
            | 'LOCAL_CHEAPER'
            | 'BLOCKING'
            | 'RESUME_COMPATIBLE'
            | 'HIGH_CONTEXT_AFFINITY'
            | 'BOUNDED_RECENT_CONTEXT'
            | 'INDEPENDENT_CAPSULE'
            | 'SENSITIVITY_ISOLATION'
            | 'REVIEW_INDEPENDENCE'
            | 'TEAM_COORDINATION_REQUIRED'
            | 'WRITER_OWNERSHIP_CONFLICT'
            | 'NESTING_LIMIT'
            | 'CAPABILITY_FALLBACK'
          )[];
          /** @enum {string} */
          readonly recommendedMode?:
            'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
          readonly taskCorpusId?: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly canaryBucket: number | null;
            readonly canaryPercent: number | null;
            readonly environment: string;
            readonly eventId?: string;
            readonly executeRecommendation: boolean;
            readonly family: string;
            readonly recordActual: boolean;
            readonly recordRecommendation: boolean;
            readonly selectedMode:
              | (
                  | 'local'
                  | 'resume'
                  | 'inherit-full'
                  | 'inherit-recent'
                  | 'fresh-capsule'
                  | 'coordinated-team'
                )
              | null;
            /** @enum {string} */
            readonly stage: 'off' | 'observe' | 'shadow' | 'canary' | 'on';
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content, context_refused */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly promoteRollout: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly environment: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly expectedVersion?: number;
          readonly family: string;
          readonly measurementEnvelope: {
            readonly [key: string]: unknown;
          };
          readonly pairs: readonly unknown[];
          readonly thresholds?: {
            readonly [key: string]: unknown;
          };
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly environment: string;
            /** Format: date-time */
            readonly evaluatedAt: string;
            readonly family: string;
            readonly from: {
              readonly canaryPercent: number | null;
              /** @enum {string} */
              readonly stage: 'off' | 'observe' | 'shadow' | 'canary' | 'on';
            };
            readonly gates: readonly {
              readonly causes?: readonly (
                | 'pairs_not_measured'
                | 'malformed'
                | 'version_mismatch'
                | 'runtime_digest_mismatch'
                | 'consumed'
                | 'stale'
                | 'corpus_digest_mismatch'
                | 'unknown_key'
                | 'bad_signature'
              )[];
              readonly figure: unknown;
              readonly gate: string;
              readonly passed: boolean;
              readonly threshold: unknown;
            }[];
            readonly promoted: boolean;
            readonly sequence: number;
            readonly to: {
              readonly canaryPercent: number | null;
              /** @enum {string} */
              readonly stage: 'off' | 'observe' | 'shadow' | 'canary' | 'on';
            };
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, version_conflict, stage_not_next, stage_not_active */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description artifact_erased */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content, context_refused */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly reportRollout: {
    readonly parameters: {
      readonly query: {
        readonly family: string;
      };
      readonly header?: never;
      readonly path: {
        readonly environment: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly environment: string;
            readonly history: readonly {
              /** @enum {string} */
              readonly by: 'operator' | 'promotion';
              readonly canaryPercent: number | null;
              /** Format: date-time */
              readonly changedAt: string;
              readonly sequence: number;
              /** @enum {string} */
              readonly stage: 'off' | 'observe' | 'shadow' | 'canary' | 'on';
            }[];
            readonly observed: readonly {
              readonly billed: {
                readonly currency: string | null;
                readonly known: number;
                readonly meanAmount: number | null;
                readonly meanTokens: number | null;
              };
              readonly events: number;
              readonly latency: {
                readonly known: number;
                readonly meanElapsedMs: number | null;
              };
              readonly mode: string | null;
              readonly rediscovery: {
                readonly known: number;
                readonly meanRepeatedFileReads: number | null;
              };
            }[];
            readonly promotion: {
              readonly environment: string;
              /** Format: date-time */
              readonly evaluatedAt: string;
              readonly family: string;
              readonly from: {
                readonly canaryPercent: number | null;
                /** @enum {string} */
                readonly stage: 'off' | 'observe' | 'shadow' | 'canary' | 'on';
              };
              readonly gates: readonly {
                readonly causes?: readonly (
                  | 'pairs_not_measured'
                  | 'malformed'
                  | 'version_mismatch'
                  | 'runtime_digest_mismatch'
                  | 'consumed'
                  | 'stale'
                  | 'corpus_digest_mismatch'
                  | 'unknown_key'
                  | 'bad_signature'
                )[];
                readonly figure: unknown;
                readonly gate: string;
                readonly passed: boolean;
                readonly threshold: unknown;
              }[];
              readonly promoted: boolean;
              readonly sequence: number;
              readonly to: {
                readonly canaryPercent: number | null;
                /** @enum {string} */
                readonly stage: 'off' | 'observe' | 'shadow' | 'canary' | 'on';
              };
            } | null;
            readonly rollout: {
              readonly active: boolean;
              readonly canaryPercent: number | null;
              readonly candidate: {
                readonly candidateVersion: string;
                readonly corpusVersion: string;
                readonly runtimeDigest: string;
              } | null;
              readonly family: string;
              readonly since: string | null;
              /** @enum {string} */
              readonly stage: 'off' | 'observe' | 'shadow' | 'canary' | 'on';
              readonly version: number;
            };
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listRuns: {
    readonly parameters: {
      readonly query?: {
        readonly cursor?: string;
        readonly limit?: string;
        readonly status?:
          | 'pending'
          | 'running'
          | 'paused'
          | 'waiting-approval'
          | 'waiting-input'
          | 'waiting-external'
          | 'completed'
          | 'failed'
          | 'cancelling'
          | 'cancelled';
        readonly workflowId?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly nextCursor?: string;
            readonly runs: readonly ({
              readonly agent?: {
                readonly agentId: string;
                readonly modelClass?: string;
                readonly name?: string;
              } & {
                readonly [key: string]: unknown;
              };
              readonly channels?: {
                readonly [key: string]: unknown;
              };
              /** Format: date-time */
              readonly completedAt?: string;
              readonly configurable?: {
                readonly context?: {
                  readonly keepLastTurns: number;
                  /** @enum {string} */
                  readonly strategy: 'none' | 'sliding-window' | 'recursive' | 'map-reduce';
                  /** @enum {string} */
                  readonly tokenCounter: 'o200k_base' | 'cl100k_base' | 'chars';
                  readonly transcriptTokenBudget: number;
                  readonly transcriptWindow?: number;
                };
              } & {
                readonly [key: string]: unknown;
              };
              readonly currentNodeId?: string;
              readonly engineVersion: string;
              readonly error?: {
                readonly code: string;
                readonly details?: {
                  readonly [key: string]: unknown;
                };
                readonly message: string;
              };
              readonly eventLogSchemaVersion: number;
              readonly fromSeq?: number;
              readonly inputs?: {
                readonly [key: string]: unknown;
              };
              readonly interrupt?: {
                readonly callbackUrl?: string;
                readonly data: {
                  readonly [key: string]: unknown;
                };
                readonly inspectToken?: string;
                readonly interruptId: string;
                readonly interruptToken?: string;
                readonly key: string;
                /** @enum {string} */
                readonly kind: 'approval' | 'clarification' | 'external-event' | 'custom' | 'low-confidence';
                readonly nodeId: string;
                readonly resumeSchema?: {
                  readonly [key: string]: unknown;
                };
              } & {
                readonly [key: string]: unknown;
              };
              readonly lastMessageSequence?: number;
              readonly lastSequence: number;
              readonly messageCount?: number;
              readonly metadata?: {
                readonly [key: string]: unknown;
              };
              /** @enum {string} */
              readonly mode?: 'replay' | 'branch';
              readonly nodeStates?: {
                readonly [key: string]: {
                  readonly attempt: number;
                  readonly status: string;
                } & {
                  readonly [key: string]: unknown;
                };
              };
              readonly outputs?: {
                readonly [key: string]: unknown;
              };
              readonly owner: {
                readonly tenant: string;
              };
              readonly parentRunId?: string;
              readonly runId: string;
              readonly runOrchestrator?: {
                readonly agentId: string;
                readonly modelClass?: string;
                readonly name?: string;
              } & {
                readonly [key: string]: unknown;
              };
              readonly scopeId?: string;
              readonly sourceRunId?: string;
              /** Format: date-time */
              readonly startedAt: string;
              /** @enum {string} */
              readonly status:
                | 'pending'
                | 'running'
                | 'paused'
                | 'waiting-approval'
                | 'waiting-input'
                | 'waiting-external'
                | 'completed'
                | 'failed'
                | 'cancelling'
                | 'cancelled';
              readonly tags?: readonly string[];
              readonly variables?: {
                readonly [key: string]: unknown;
              };
              readonly workflowId: string;
            } & {
              readonly [key: string]: unknown;
            })[];
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly createRun: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
        readonly 'X-Dedup'?: 'enforce';
        /** @description Test keys only. */
        readonly 'X-Force-Engine-Version'?: number;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly callbackUrl?: string;
          readonly configurable?: {
            readonly context?: {
              readonly keepLastTurns?: number;
              /** @enum {string} */
              readonly strategy?: 'none' | 'sliding-window' | 'recursive' | 'map-reduce';
              /** @enum {string} */
              readonly tokenCounter?: 'o200k_base' | 'cl100k_base' | 'chars';
              readonly transcriptTokenBudget?: number;
              readonly transcriptWindow?: number;
            };
          } & {
            readonly [key: string]: unknown;
          };
          readonly inputs?: {
            readonly [key: string]: unknown;
          };
          readonly metadata?: {
            readonly [key: string]: unknown;
          };
          readonly scopeId?: string;
          readonly tags?: readonly string[];
          readonly tenantId?: string;
          readonly workflowId: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 201: {
        headers: {
          readonly Location?: string;
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly context?: {
              readonly keepLastTurns: number;
              /** @enum {string} */
              readonly strategy: 'none' | 'sliding-window' | 'recursive' | 'map-reduce';
              /** @enum {string} */
              readonly tokenCounter: 'o200k_base' | 'cl100k_base' | 'chars';
              readonly transcriptTokenBudget: number;
              readonly transcriptWindow?: number;
            };
            readonly eventsUrl: string;
            readonly runId: string;
            /** @enum {string} */
            readonly status:
              | 'pending'
              | 'running'
              | 'paused'
              | 'waiting-approval'
              | 'waiting-input'
              | 'waiting-external'
              | 'completed'
              | 'failed'
              | 'cancelling'
              | 'cancelled';
            readonly statusUrl: string;
          };
        };
      };
      /** @description validation_error, context_budget_infeasible, unsupported_force_engine_version */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden, force_engine_version_forbidden, mock_provider_forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, run_already_active */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description capability_required */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly bulkCancelRuns: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly reason?: string;
          readonly runIds: readonly string[];
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly results: readonly {
              readonly error?: {
                readonly code: string;
                readonly message: string;
              };
              readonly ok: boolean;
              readonly runId: string;
              /** @enum {string} */
              readonly status?:
                | 'pending'
                | 'running'
                | 'paused'
                | 'waiting-approval'
                | 'waiting-input'
                | 'waiting-external'
                | 'completed'
                | 'failed'
                | 'cancelling'
                | 'cancelled';
            }[];
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readRun: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'If-None-Match'?: string;
      };
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly agent?: {
              readonly agentId: string;
              readonly modelClass?: string;
              readonly name?: string;
            } & {
              readonly [key: string]: unknown;
            };
            readonly channels?: {
              readonly [key: string]: unknown;
            };
            /** Format: date-time */
            readonly completedAt?: string;
            readonly configurable?: {
              readonly context?: {
                readonly keepLastTurns: number;
                /** @enum {string} */
                readonly strategy: 'none' | 'sliding-window' | 'recursive' | 'map-reduce';
                /** @enum {string} */
                readonly tokenCounter: 'o200k_base' | 'cl100k_base' | 'chars';
                readonly transcriptTokenBudget: number;
                readonly transcriptWindow?: number;
              };
            } & {
              readonly [key: string]: unknown;
            };
            readonly currentNodeId?: string;
            readonly engineVersion: string;
            readonly error?: {
              readonly code: string;
              readonly details?: {
                readonly [key: string]: unknown;
              };
              readonly message: string;
            };
            readonly eventLogSchemaVersion: number;
            readonly fromSeq?: number;
            readonly inputs?: {
              readonly [key: string]: unknown;
            };
            readonly interrupt?: {
              readonly callbackUrl?: string;
              readonly data: {
                readonly [key: string]: unknown;
              };
              readonly inspectToken?: string;
              readonly interruptId: string;
              readonly interruptToken?: string;
              readonly key: string;
              /** @enum {string} */
              readonly kind: 'approval' | 'clarification' | 'external-event' | 'custom' | 'low-confidence';
              readonly nodeId: string;
              readonly resumeSchema?: {
                readonly [key: string]: unknown;
              };
            } & {
              readonly [key: string]: unknown;
            };
            readonly lastMessageSequence?: number;
            readonly lastSequence: number;
            readonly messageCount?: number;
            readonly metadata?: {
              readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly mode?: 'replay' | 'branch';
            readonly nodeStates?: {
              readonly [key: string]: {
                readonly attempt: number;
                readonly status: string;
              } & {
                readonly [key: string]: unknown;
              };
            };
            readonly outputs?: {
              readonly [key: string]: unknown;
            };
            readonly owner: {
              readonly tenant: string;
            };
            readonly parentRunId?: string;
            readonly runId: string;
            readonly runOrchestrator?: {
              readonly agentId: string;
              readonly modelClass?: string;
              readonly name?: string;
            } & {
              readonly [key: string]: unknown;
            };
            readonly scopeId?: string;
            readonly sourceRunId?: string;
            /** Format: date-time */
            readonly startedAt: string;
            /** @enum {string} */
            readonly status:
              | 'pending'
              | 'running'
              | 'paused'
              | 'waiting-approval'
              | 'waiting-input'
              | 'waiting-external'
              | 'completed'
              | 'failed'
              | 'cancelling'
              | 'cancelled';
            readonly tags?: readonly string[];
            readonly variables?: {
              readonly [key: string]: unknown;
            };
            readonly workflowId: string;
          } & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description As the client has it. */
      readonly 304: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly forkRun: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly fromSeq?: number;
          /** @enum {string} */
          readonly mode: 'replay' | 'branch';
          readonly runOptionsOverlay?: {
            readonly configurable?: {
              readonly context?: {
                readonly keepLastTurns?: number;
                /** @enum {string} */
                readonly strategy?: 'none' | 'sliding-window' | 'recursive' | 'map-reduce';
                /** @enum {string} */
                readonly tokenCounter?: 'o200k_base' | 'cl100k_base' | 'chars';
                readonly transcriptTokenBudget?: number;
                readonly transcriptWindow?: number;
              };
            } & {
              readonly [key: string]: unknown;
            };
            readonly metadata?: {
              readonly [key: string]: unknown;
            };
            readonly tags?: readonly string[];
          };
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 201: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly eventsUrl: string;
            readonly fromSeq: number;
            /** @enum {string} */
            readonly mode: 'replay' | 'branch';
            readonly runId: string;
            readonly sourceRunId: string;
            /** @enum {string} */
            readonly status:
              | 'pending'
              | 'running'
              | 'paused'
              | 'waiting-approval'
              | 'waiting-input'
              | 'waiting-external'
              | 'completed'
              | 'failed'
              | 'cancelling'
              | 'cancelled';
            readonly statusUrl: string;
          };
        };
      };
      /** @description validation_error, context_budget_infeasible */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden, mock_provider_forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, sequence_conflict, replay_context_summary_unavailable */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description invalid_from_seq */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable, unsupported_engine_version */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readArtifact: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly artifactId: string;
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly artifactId: string;
            readonly artifactType: string;
            readonly content: unknown;
            /** Format: date-time */
            readonly createdAt: string;
            readonly runId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description artifact_erased */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly eraseArtifact: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly artifactId: string;
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly artifactIds: readonly string[];
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly cancelRun: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          readonly reason?: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly runId: string;
            /** @enum {string} */
            readonly status:
              | 'pending'
              | 'running'
              | 'paused'
              | 'waiting-approval'
              | 'waiting-input'
              | 'waiting-external'
              | 'completed'
              | 'failed'
              | 'cancelling'
              | 'cancelled';
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, run_not_active */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readCertificate: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/x-ndjson': string;
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description capability_required */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly eraseContent: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly erased: number;
            readonly kept: number;
            readonly runId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly diffRuns: {
    readonly parameters: {
      readonly query: {
        readonly fromIteration?: string;
        readonly limit?: string;
        readonly with: string;
      };
      readonly header?: never;
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly comparedIterations?: {
              readonly from: number;
              readonly to: number;
            };
            readonly fedTokensSaved: number | null;
            readonly firstDivergence?: {
              readonly iteration?: number;
              readonly other?: {
                readonly nodeId?: string;
                readonly type: string;
              };
              /** @enum {string} */
              readonly part: 'type' | 'nodeId' | 'schemaVersion' | 'payload' | 'causation' | 'end';
              readonly run?: {
                readonly nodeId?: string;
                readonly type: string;
              };
              readonly sequence: number;
            };
            readonly identical: boolean;
            readonly nextIteration?: number;
            readonly other: {
              readonly events: number;
              readonly origin?: {
                readonly fromSequence: number;
                /** @enum {string} */
                readonly mode: 'replay' | 'branch';
                readonly runId: string;
              };
              readonly runId: string;
              /** @enum {string} */
              readonly status:
                | 'pending'
                | 'running'
                | 'paused'
                | 'waiting-approval'
                | 'waiting-input'
                | 'waiting-external'
                | 'completed'
                | 'failed'
                | 'cancelling'
                | 'cancelled';
              readonly summaries: number;
              /** @enum {string} */
              readonly tokenCounter?: 'o200k_base' | 'cl100k_base' | 'chars';
              readonly tokens: {
                readonly fedTokens: number;
                readonly notResentTokens: number;
                readonly unboundedTokens: number;
              };
              readonly windows: number;
              readonly workflowId: string;
            };
            readonly relation: {
              readonly ancestorRunId?: string;
              /** @enum {string} */
              readonly kind: 'same' | 'fork' | 'source' | 'siblings' | 'unrelated';
              readonly sharedEvents: number;
            };
            readonly run: {
              readonly events: number;
              readonly origin?: {
                readonly fromSequence: number;
                /** @enum {string} */
                readonly mode: 'replay' | 'branch';
                readonly runId: string;
              };
              readonly runId: string;
              /** @enum {string} */
              readonly status:
                | 'pending'
                | 'running'
                | 'paused'
                | 'waiting-approval'
                | 'waiting-input'
                | 'waiting-external'
                | 'completed'
                | 'failed'
                | 'cancelling'
                | 'cancelled';
              readonly summaries: number;
              /** @enum {string} */
              readonly tokenCounter?: 'o200k_base' | 'cl100k_base' | 'chars';
              readonly tokens: {
                readonly fedTokens: number;
                readonly notResentTokens: number;
                readonly unboundedTokens: number;
              };
              readonly windows: number;
              readonly workflowId: string;
            };
            readonly windows: readonly {
              readonly identical: boolean;
              readonly iteration: number;
              readonly other?: {
                readonly fedTokens: number;
                readonly sequence: number;
                readonly summaries: number;
                /** @enum {string} */
                readonly tokenCounter: 'o200k_base' | 'cl100k_base' | 'chars';
                readonly unboundedTokens: number;
              };
              readonly run?: {
                readonly fedTokens: number;
                readonly sequence: number;
                readonly summaries: number;
                /** @enum {string} */
                readonly tokenCounter: 'o200k_base' | 'cl100k_base' | 'chars';
                readonly unboundedTokens: number;
              };
            }[];
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readEvents: {
    readonly parameters: {
      readonly query?: {
        readonly bufferMs?: string;
        readonly streamMode?: string;
      };
      readonly header?: {
        readonly 'Last-Event-ID'?: string;
      };
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly events: readonly ({
              readonly causationId?: string;
              readonly eventId: string;
              readonly nodeId?: string;
              readonly payload: {
                readonly [key: string]: unknown;
              };
              readonly runId: string;
              readonly schemaVersion?: number;
              readonly sequence: number;
              /** Format: date-time */
              readonly timestamp: string;
              readonly type: string;
            } & {
              readonly [key: string]: unknown;
            })[];
          };
          readonly 'text/event-stream': string;
        };
      };
      /** @description validation_error, unsupported_stream_mode */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly pollEvents: {
    readonly parameters: {
      readonly query?: {
        readonly lastSequence?: string;
        readonly since?: string;
        readonly timeout?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly events: readonly ({
              readonly causationId?: string;
              readonly eventId: string;
              readonly nodeId?: string;
              readonly payload: {
                readonly [key: string]: unknown;
              };
              readonly runId: string;
              readonly schemaVersion?: number;
              readonly sequence: number;
              /** Format: date-time */
              readonly timestamp: string;
              readonly type: string;
            } & {
              readonly [key: string]: unknown;
            })[];
            readonly isComplete: boolean;
            readonly isTerminal: boolean;
            readonly lastEventSeq: number;
            readonly runId: string;
            /** @enum {string} */
            readonly runStatus:
              | 'pending'
              | 'running'
              | 'paused'
              | 'waiting-approval'
              | 'waiting-input'
              | 'waiting-external'
              | 'completed'
              | 'failed'
              | 'cancelling'
              | 'cancelled';
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly finishRun: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': Record<string, never>;
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly agent?: {
              readonly agentId: string;
              readonly modelClass?: string;
              readonly name?: string;
            } & {
              readonly [key: string]: unknown;
            };
            readonly channels?: {
              readonly [key: string]: unknown;
            };
            /** Format: date-time */
            readonly completedAt?: string;
            readonly configurable?: {
              readonly context?: {
                readonly keepLastTurns: number;
                /** @enum {string} */
                readonly strategy: 'none' | 'sliding-window' | 'recursive' | 'map-reduce';
                /** @enum {string} */
                readonly tokenCounter: 'o200k_base' | 'cl100k_base' | 'chars';
                readonly transcriptTokenBudget: number;
                readonly transcriptWindow?: number;
              };
            } & {
              readonly [key: string]: unknown;
            };
            readonly currentNodeId?: string;
            readonly engineVersion: string;
            readonly error?: {
              readonly code: string;
              readonly details?: {
                readonly [key: string]: unknown;
              };
              readonly message: string;
            };
            readonly eventLogSchemaVersion: number;
            readonly fromSeq?: number;
            readonly inputs?: {
              readonly [key: string]: unknown;
            };
            readonly interrupt?: {
              readonly callbackUrl?: string;
              readonly data: {
                readonly [key: string]: unknown;
              };
              readonly inspectToken?: string;
              readonly interruptId: string;
              readonly interruptToken?: string;
              readonly key: string;
              /** @enum {string} */
              readonly kind: 'approval' | 'clarification' | 'external-event' | 'custom' | 'low-confidence';
              readonly nodeId: string;
              readonly resumeSchema?: {
                readonly [key: string]: unknown;
              };
            } & {
              readonly [key: string]: unknown;
            };
            readonly lastMessageSequence?: number;
            readonly lastSequence: number;
            readonly messageCount?: number;
            readonly metadata?: {
              readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly mode?: 'replay' | 'branch';
            readonly nodeStates?: {
              readonly [key: string]: {
                readonly attempt: number;
                readonly status: string;
              } & {
                readonly [key: string]: unknown;
              };
            };
            readonly outputs?: {
              readonly [key: string]: unknown;
            };
            readonly owner: {
              readonly tenant: string;
            };
            readonly parentRunId?: string;
            readonly runId: string;
            readonly runOrchestrator?: {
              readonly agentId: string;
              readonly modelClass?: string;
              readonly name?: string;
            } & {
              readonly [key: string]: unknown;
            };
            readonly scopeId?: string;
            readonly sourceRunId?: string;
            /** Format: date-time */
            readonly startedAt: string;
            /** @enum {string} */
            readonly status:
              | 'pending'
              | 'running'
              | 'paused'
              | 'waiting-approval'
              | 'waiting-input'
              | 'waiting-external'
              | 'completed'
              | 'failed'
              | 'cancelling'
              | 'cancelled';
            readonly tags?: readonly string[];
            readonly variables?: {
              readonly [key: string]: unknown;
            };
            readonly workflowId: string;
          } & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, run_not_active */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly resolveInterrupt: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly nodeId: string;
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly resumeValue: unknown;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly runId: string;
            /** @enum {string} */
            readonly status:
              | 'pending'
              | 'running'
              | 'paused'
              | 'waiting-approval'
              | 'waiting-input'
              | 'waiting-external'
              | 'completed'
              | 'failed'
              | 'cancelling'
              | 'cancelled';
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found, interrupt_not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, interrupt_already_resolved */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description interrupt_cancelled, correlation_mismatch */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listPins: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly pinnedTokens: number;
            readonly pins: readonly {
              /** Format: date-time */
              readonly at: string;
              readonly eventId: string;
              readonly pinId: string;
              readonly tokens: number;
            }[];
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly addPin: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly eventId?: string;
          readonly text?: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 201: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly eventId: string;
            readonly pinId: string;
            readonly pinnedTokens: number;
            readonly tokens: number;
          };
        };
      };
      /** @description validation_error, context_budget_infeasible */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, run_not_active */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description artifact_erased */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly removePin: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly pinId: string;
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly pinId: string;
            /** @constant */
            readonly removed: true;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, run_not_active */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly appendTurns: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly expectedSequence?: number;
          readonly messages: readonly (
            | {
                readonly content:
                  | string
                  | readonly (
                      | {
                          readonly text: string;
                          /** @constant */
                          readonly type: 'text';
                        }
                      | {
                          readonly refusal: string;
                          /** @constant */
                          readonly type: 'refusal';
                        }
                      | ({
                          readonly type: string;
                        } & {
                          readonly [key: string]: unknown;
                        })
                    )[];
                readonly name?: string;
                /** @constant */
                readonly role: 'system';
              }
            | {
                readonly content:
                  | string
                  | readonly (
                      | {
                          readonly text: string;
                          /** @constant */
                          readonly type: 'text';
                        }
                      | {
                          readonly refusal: string;
                          /** @constant */
                          readonly type: 'refusal';
                        }
                      | ({
                          readonly type: string;
                        } & {
                          readonly [key: string]: unknown;
                        })
                    )[];
                readonly name?: string;
                /** @constant */
                readonly role: 'developer';
              }
            | {
                readonly content:
                  | string
                  | readonly (
                      | {
                          readonly text: string;
                          /** @constant */
                          readonly type: 'text';
                        }
                      | {
                          readonly refusal: string;
                          /** @constant */
                          readonly type: 'refusal';
                        }
                      | ({
                          readonly type: string;
                        } & {
                          readonly [key: string]: unknown;
                        })
                    )[];
                readonly name?: string;
                /** @constant */
                readonly role: 'user';
              }
            | {
                readonly content?:
                  | (
                      | string
                      | readonly (
                          | {
                              readonly text: string;
                              /** @constant */
                              readonly type: 'text';
                            }
                          | {
                              readonly refusal: string;
                              /** @constant */
                              readonly type: 'refusal';
                            }
                          | ({
                              readonly type: string;
                            } & {
                              readonly [key: string]: unknown;
                            })
                        )[]
                    )
                  | null;
                readonly name?: string;
                readonly refusal?: string | null;
                /** @constant */
                readonly role: 'assistant';
                readonly tool_calls?:
                  | readonly {
                      readonly function: {
                        readonly arguments: string;
                        readonly name: string;
                      };
                      readonly id: string;
                      /**
                       * @default function
                       * @constant
                       */
                      readonly type?: 'function';
                    }[]
                  | null;
              }
            | {
                readonly content:
                  | string
                  | readonly (
                      | {
                          readonly text: string;
                          /** @constant */
                          readonly type: 'text';
                        }
                      | {
                          readonly refusal: string;
                          /** @constant */
                          readonly type: 'refusal';
                        }
                      | ({
                          readonly type: string;
                        } & {
                          readonly [key: string]: unknown;
                        })
                    )[];
                readonly name?: string;
                /** @constant */
                readonly role: 'tool';
                readonly tool_call_id: string;
              }
          )[];
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 201: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly eventIds: readonly string[];
            readonly firstSequence: number;
            readonly lastMessageSequence: number;
            readonly lastSequence: number;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, sequence_conflict, run_not_active */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description tool_result_without_call, duplicate_tool_call_id, unsupported_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readUsage: {
    readonly parameters: {
      readonly query?: {
        readonly fromIteration?: string;
        readonly limit?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly iterations: readonly {
              readonly fedTokens: number;
              readonly iteration: number;
              readonly messages: number;
              readonly notResentTokens: number;
              readonly summaries: number;
              readonly unboundedTokens: number;
            }[];
            readonly nextIteration?: number;
            readonly total: {
              readonly fedTokens: number;
              readonly notResentTokens: number;
              readonly summaries: number;
              readonly unboundedTokens: number;
            };
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly verifyRun: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly artifactsChecked: number;
            readonly comparedWith?: {
              readonly events: number;
              readonly runId: string;
              readonly sharedEvents: number;
              readonly summaries: number;
              readonly windows: number;
            };
            readonly firstDifference?: {
              readonly iteration?: number;
              readonly sequence?: number;
              readonly what: string;
            };
            readonly log?: {
              readonly artifacts: {
                readonly erased: number;
                readonly readable: number;
              };
              /** @enum {string} */
              readonly chain: 'whole' | 'broken' | 'none' | 'not checked';
              readonly eventsChecked: number;
              readonly link?: string;
            };
            readonly modelCalls?: {
              readonly checked: number;
              readonly unkept: number;
            };
            readonly ok: boolean;
            readonly summarizerCalls: number;
            readonly windowsChecked: number;
            readonly windowsDigest: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable, unsupported_engine_version */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly planWindow: {
    readonly parameters: {
      readonly query?: {
        readonly format?: 'openai' | 'anthropic';
      };
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          readonly expectedSequence?: number;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly asOfSequence: number;
            readonly entries: readonly {
              readonly eventId: string;
              /** @enum {string} */
              readonly form: 'full' | 'cut' | 'elided';
              /** @enum {string} */
              readonly kind: 'turn' | 'summary' | 'pin';
              readonly rendered: string;
              readonly tokens: number;
            }[];
            readonly eventId: string;
            readonly eventIds: readonly string[];
            readonly fates?: readonly {
              readonly events: number;
              /** @enum {string} */
              readonly fate: 'fed' | 'elided' | 'summarized' | 'evicted' | 'pending';
              readonly fromSequence: number;
              readonly reason: string;
              readonly summaryEventId?: string;
              readonly toSequence: number;
            }[];
            /** @enum {string} */
            readonly format: 'openai' | 'anthropic';
            readonly instructionTokens: number;
            readonly iteration: number;
            readonly lastMessageSequence: number;
            readonly messages: readonly {
              readonly [key: string]: unknown;
            }[];
            readonly runId: string;
            readonly summarizedRanges: readonly {
              readonly eventId: string;
              readonly replacedTurns: readonly string[];
              readonly summaryRef: string;
            }[];
            readonly system?: readonly {
              readonly [key: string]: unknown;
            }[];
            readonly tokenCount: number;
            /** @enum {string} */
            readonly tokenCounter: 'o200k_base' | 'cl100k_base' | 'chars';
            readonly unboundedTokenCount: number;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, sequence_conflict, run_not_active */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description artifact_erased */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable, unsupported_engine_version */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readWindow: {
    readonly parameters: {
      readonly query?: {
        readonly format?: 'openai' | 'anthropic';
      };
      readonly header?: never;
      readonly path: {
        readonly iteration: number;
        readonly runId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly asOfSequence: number;
            readonly entries: readonly {
              readonly eventId: string;
              /** @enum {string} */
              readonly form: 'full' | 'cut' | 'elided';
              /** @enum {string} */
              readonly kind: 'turn' | 'summary' | 'pin';
              readonly rendered: string;
              readonly tokens: number;
            }[];
            readonly eventId: string;
            readonly eventIds: readonly string[];
            readonly fates?: readonly {
              readonly events: number;
              /** @enum {string} */
              readonly fate: 'fed' | 'elided' | 'summarized' | 'evicted' | 'pending';
              readonly fromSequence: number;
              readonly reason: string;
              readonly summaryEventId?: string;
              readonly toSequence: number;
            }[];
            /** @enum {string} */
            readonly format: 'openai' | 'anthropic';
            readonly instructionTokens: number;
            readonly iteration: number;
            readonly lastMessageSequence: number;
            readonly messages: readonly {
              readonly [key: string]: unknown;
            }[];
            readonly runId: string;
            readonly summarizedRanges: readonly {
              readonly eventId: string;
              readonly replacedTurns: readonly string[];
              readonly summaryRef: string;
            }[];
            readonly system?: readonly {
              readonly [key: string]: unknown;
            }[];
            readonly tokenCount: number;
            /** @enum {string} */
            readonly tokenCounter: 'o200k_base' | 'cl100k_base' | 'chars';
            readonly unboundedTokenCount: number;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description artifact_erased */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listTelemetry: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly environment?: string;
        readonly limit?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly events: readonly {
              readonly event: {
                readonly [key: string]: unknown;
              };
              readonly id: string;
              readonly position: number;
              /** Format: date-time */
              readonly recordedAt: string;
            }[];
            readonly next?: number;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly recordTelemetry: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly environment?: string;
          readonly events: readonly {
            readonly event: {
              readonly [key: string]: unknown;
            };
            readonly id: string;
          }[];
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly duplicates: readonly string[];
            readonly recorded: readonly string[];
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content, context_refused */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readWorkflow: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'If-None-Match'?: string;
      };
      readonly path: {
        readonly workflowId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly ETag?: string;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly acceptsInheritedArtifacts?: boolean;
            readonly channels?: unknown;
            readonly configurableSchema?: {
              readonly [key: string]: unknown;
            };
            readonly createdAt?: string;
            readonly defaults?: {
              readonly [key: string]: unknown;
            };
            readonly description?: string;
            readonly edges: readonly {
              readonly condition?: {
                readonly expression?: string;
                readonly left?: unknown;
                readonly right?: unknown;
                /** @enum {string} */
                readonly type: 'expression' | 'equals' | 'notEquals' | 'contains' | 'regex';
              };
              readonly id: string;
              readonly label?: string;
              readonly sourceNodeId: string;
              readonly sourceOutput?: string;
              readonly targetInput?: string;
              readonly targetNodeId: string;
              /** @enum {string} */
              readonly triggerRule?:
                'all_success' | 'any_success' | 'all_complete' | 'none_failed' | 'any_failed';
            }[];
            readonly groups?: readonly unknown[];
            readonly id: string;
            readonly isActive?: boolean;
            readonly metadata: {
              readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly nodes: readonly {
              readonly agent?: {
                readonly agentId: string;
                readonly channel?: string;
                readonly memoryRef?: string;
                readonly modelClass?: string;
                readonly name?: string;
                readonly sourceManifestId?: string;
                readonly version?: string;
              };
              readonly artifactType?: string;
              readonly cardType?: string;
              readonly config: {
                readonly [key: string]: unknown;
              };
              readonly credentialsRef?: string;
              readonly disabled?: boolean;
              readonly envelopeContract?: unknown;
              readonly groupId?: string;
              readonly id: string;
              readonly inputs: {
                readonly [key: string]:
                  | {
                      /** @constant */
                      readonly type: 'static';
                      readonly value: unknown;
                    }
                  | {
                      readonly expression: string;
                      /** @constant */
                      readonly type: 'expression';
                    }
                  | {
                      readonly nodeId: string;
                      readonly outputKey: string;
                      /** @constant */
                      readonly type: 'connection';
                    }
                  | {
                      /** @constant */
                      readonly type: 'variable';
                      readonly variableName: string;
                    };
              };
              readonly name: string;
              readonly notes?: string;
              /** @enum {string} */
              readonly outputRole?: 'primary' | 'secondary';
              readonly outputSensitivity?: string;
              readonly position: {
                readonly x: number;
                readonly y: number;
              };
              readonly settings?: {
                readonly logLevel?: string;
                readonly maxLoopbackIterations?: number;
                readonly maxRetries?: number;
                readonly timeout?: number;
              } & {
                readonly [key: string]: unknown;
              };
              readonly typeId: string;
            }[];
            readonly scopeId?: string;
            readonly settings: {
              readonly logLevel?: string;
              readonly maxLoopbackIterations?: number;
              readonly maxRetries?: number;
              readonly timeout?: number;
            } & {
              readonly [key: string]: unknown;
            };
            readonly slug?: string;
            /** @enum {string} */
            readonly status?: 'active' | 'inactive' | 'draft' | 'archived';
            readonly tenantId?: string;
            readonly triggers: readonly {
              readonly config?: {
                readonly [key: string]: unknown;
              };
              readonly enabled?: boolean;
              readonly id: string;
              readonly name?: string;
              readonly nodeId?: string;
              /** @enum {string} */
              readonly type:
                | 'manual'
                | 'schedule'
                | 'webhook'
                | 'event'
                | 'artifact'
                | 'canvas'
                | 'envelope'
                | 'command'
                | 'chat-message'
                | 'channel-write';
            }[];
            readonly type?: string;
            readonly updatedAt?: string;
            readonly variables: readonly {
              readonly defaultValue?: unknown;
              readonly description?: string;
              readonly name: string;
              readonly required?: boolean;
              readonly sensitive?: boolean;
              /** @enum {string} */
              readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array';
            }[];
            readonly version: string;
          };
        };
      };
      /** @description As the client has it. */
      readonly 304: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readWorkgroup: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly approvals: readonly {
              /** Format: date-time */
              readonly approvedAt: string;
              readonly finalGate: boolean;
              /** @enum {string} */
              readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
              readonly subject: string;
            }[];
            readonly coordinator?: {
              /** Format: date-time */
              readonly expiresAt: string;
              readonly fence: number;
            };
            readonly lineages: {
              readonly held: number;
              readonly idle: number;
            };
            /** @enum {string} */
            readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
            readonly sequence: number;
            readonly workgroupId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly advanceWorkgroup: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly fence: number;
          /** @enum {string} */
          readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly approvals: readonly {
              /** Format: date-time */
              readonly approvedAt: string;
              readonly finalGate: boolean;
              /** @enum {string} */
              readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
              readonly subject: string;
            }[];
            readonly coordinator?: {
              /** Format: date-time */
              readonly expiresAt: string;
              readonly fence: number;
            };
            readonly lineages: {
              readonly held: number;
              readonly idle: number;
            };
            /** @enum {string} */
            readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
            readonly sequence: number;
            readonly workgroupId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, stale_fence */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly approveInWorkgroup: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly fence: number;
          readonly finalGate?: boolean;
          readonly subject: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly approvals: readonly {
              /** Format: date-time */
              readonly approvedAt: string;
              readonly finalGate: boolean;
              /** @enum {string} */
              readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
              readonly subject: string;
            }[];
            readonly coordinator?: {
              /** Format: date-time */
              readonly expiresAt: string;
              readonly fence: number;
            };
            readonly lineages: {
              readonly held: number;
              readonly idle: number;
            };
            /** @enum {string} */
            readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
            readonly sequence: number;
            readonly workgroupId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, stale_fence */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly coordinateWorkgroup: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          readonly fence?: number;
          readonly leaseMs?: number;
          /** @enum {string} */
          readonly phase?: '3' | '1A' | '1B' | '2A' | '2B';
          readonly takeOver?: boolean;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly approvals: readonly {
              /** Format: date-time */
              readonly approvedAt: string;
              readonly finalGate: boolean;
              /** @enum {string} */
              readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
              readonly subject: string;
            }[];
            readonly coordinator?: {
              /** Format: date-time */
              readonly expiresAt: string;
              readonly fence: number;
            };
            readonly lineages: {
              readonly held: number;
              readonly idle: number;
            };
            /** @enum {string} */
            readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
            readonly sequence: number;
            readonly workgroupId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, stale_fence, seat_taken */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly recordCapsule: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly artifactPath?: string;
          readonly artifactRoots?: readonly string[];
          readonly capsule: {
            readonly [key: string]: unknown;
          };
          readonly maxBytes?: number;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 201: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly bytes: number;
            readonly capsuleHash: string;
            /** @enum {string} */
            readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
            readonly taskId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description artifact_erased */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content, context_refused */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readCapsule: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly capsuleHash: string;
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description artifact_erased */
      readonly 410: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listDelegations: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly limit?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly delegations: readonly {
              readonly compatibleLineage: string | null;
              readonly coupling: string;
              readonly delegationId: string;
              readonly dependenciesReady: boolean;
              readonly differences: readonly string[];
              readonly expectedReuse: string;
              readonly independentReviewer: boolean;
              readonly lineage: {
                readonly invalidations: readonly string[];
                readonly state: string;
              } | null;
              /** @enum {string} */
              readonly mode:
                'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
              readonly nodeId: string;
              readonly ownedPaths: readonly string[];
              readonly parentLineageId?: string;
              /** @enum {string} */
              readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
              readonly reasonCodes: readonly string[];
              /** Format: date-time */
              readonly recordedAt: string;
              readonly resultMode: string | null;
              readonly role: string;
              readonly rollout: {
                readonly canaryBucket: number | null;
                readonly environment: string;
                readonly executeRecommendation: boolean;
                readonly family: string;
                readonly stage: string;
              };
              /** @enum {string} */
              readonly selectedMode:
                'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
              readonly sensitivity: string;
              readonly sequence: number;
              readonly taskId: string;
              readonly workgroupId: string;
            }[];
            readonly next?: number;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly delegate: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @enum {string} */
          readonly actualMode?:
            'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
          /** @enum {string} */
          readonly coupling: 'tight' | 'independent';
          readonly current?: {
            readonly [key: string]: unknown;
          };
          readonly dependenciesReady: boolean;
          readonly environment: string;
          /** @enum {string} */
          readonly expectedReuse: 'none' | 'low' | 'high';
          readonly family: string;
          readonly independentReviewer: boolean;
          readonly lineageId?: string;
          readonly nodeId: string;
          readonly ownedFiles?: readonly string[];
          readonly parentFence?: number;
          readonly parentLineageId?: string;
          readonly resultPolicy?: {
            readonly [key: string]: unknown;
          };
          readonly role: string;
          readonly routing?: {
            readonly [key: string]: unknown;
          };
          /** @enum {string} */
          readonly sensitivity: 'normal' | 'restricted' | 'isolated';
          readonly taskCorpusId?: string;
          readonly taskId: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 201: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly compatibleLineage: string | null;
            readonly coupling: string;
            readonly delegationId: string;
            readonly dependenciesReady: boolean;
            readonly differences: readonly string[];
            readonly expectedReuse: string;
            readonly independentReviewer: boolean;
            readonly lineage: {
              readonly invalidations: readonly string[];
              readonly state: string;
            } | null;
            /** @enum {string} */
            readonly mode:
              'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
            readonly nodeId: string;
            readonly ownedPaths: readonly string[];
            readonly parentLineageId?: string;
            /** @enum {string} */
            readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
            readonly reasonCodes: readonly string[];
            /** Format: date-time */
            readonly recordedAt: string;
            readonly resultMode: string | null;
            readonly role: string;
            readonly rollout: {
              readonly canaryBucket: number | null;
              readonly environment: string;
              readonly executeRecommendation: boolean;
              readonly family: string;
              readonly stage: string;
            };
            /** @enum {string} */
            readonly selectedMode:
              'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
            readonly sensitivity: string;
            readonly sequence: number;
            readonly taskId: string;
            readonly workgroupId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, stale_fence */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description context_refused, private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readWorkgroupEvents: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly limit?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly events: readonly {
              readonly lineageId?: string;
              readonly payload: {
                readonly [key: string]: unknown;
              };
              /** Format: date-time */
              readonly recordedAt: string;
              readonly sequence: number;
              readonly type: string;
            }[];
            readonly next?: number;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly acceptKnowledge: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly delta: {
            readonly [key: string]: unknown;
          };
          readonly explicitSave?: boolean;
          readonly fence: number;
          readonly interruptionSensitive?: boolean;
          readonly lineageId: string;
          readonly previousDeltas?: readonly {
            readonly [key: string]: unknown;
          }[];
          readonly previousHashes?: readonly string[];
          readonly severity?: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            /** @enum {string} */
            readonly action: 'skip' | 'amend' | 'update' | 'flush' | 'batch';
            readonly calls: readonly {
              readonly artifactIds: readonly string[];
              readonly deltas: readonly ({
                readonly [key: string]: unknown;
              } | null)[];
              readonly writer: string;
            }[];
            readonly deltaHash: string;
            readonly duplicate?: boolean;
            readonly KnowledgeId?: string;
            readonly reason: string;
            readonly waiting?: number;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, stale_fence */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description context_refused, private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly flushKnowledge: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly gate: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly calls: readonly {
              readonly artifactIds: readonly string[];
              readonly deltas: readonly ({
                readonly [key: string]: unknown;
              } | null)[];
              readonly writer: string;
            }[];
            readonly waiting: number;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly listLineages: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly evicted?: 'true' | 'false';
      };
      readonly header?: never;
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly lineages: readonly {
              readonly depth: number;
              /** @enum {string} */
              readonly eviction?:
                | 'LEASE_EXPIRED'
                | 'FINAL_GATE'
                | 'INCOMPATIBLE'
                | 'SENSITIVITY_TRANSITION'
                | 'CAPACITY_PRESSURE'
                | 'NO_LIKELY_CONTINUATION';
              /** @enum {string} */
              readonly grant:
                'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
              readonly isWriter: boolean;
              readonly lease?: {
                /** Format: date-time */
                readonly expiresAt: string;
                readonly fence: number;
              };
              readonly lineageId: string;
              readonly ownedPaths: readonly string[];
              readonly reconcileRequired: boolean;
              readonly record: {
                readonly [key: string]: unknown;
              };
              /** @enum {string} */
              readonly status: 'held' | 'idle' | 'evicted';
              readonly workgroupId: string;
            }[];
            readonly next?: string;
            readonly workgroupId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly registerLineage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly delegationId?: string;
          readonly isWriter?: boolean;
          readonly leaseMs?: number;
          readonly ownedFiles?: readonly string[];
          readonly parentFence?: number;
          readonly record: {
            readonly [key: string]: unknown;
          };
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 201: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly differences: readonly string[];
            /** Format: date-time */
            readonly expiresAt: string;
            readonly fence: number;
            readonly lineage: {
              readonly depth: number;
              /** @enum {string} */
              readonly eviction?:
                | 'LEASE_EXPIRED'
                | 'FINAL_GATE'
                | 'INCOMPATIBLE'
                | 'SENSITIVITY_TRANSITION'
                | 'CAPACITY_PRESSURE'
                | 'NO_LIKELY_CONTINUATION';
              /** @enum {string} */
              readonly grant:
                'local' | 'resume' | 'inherit-full' | 'inherit-recent' | 'fresh-capsule' | 'coordinated-team';
              readonly isWriter: boolean;
              readonly lease?: {
                /** Format: date-time */
                readonly expiresAt: string;
                readonly fence: number;
              };
              readonly lineageId: string;
              readonly ownedPaths: readonly string[];
              readonly reconcileRequired: boolean;
              readonly record: {
                readonly [key: string]: unknown;
              };
              /** @enum {string} */
              readonly status: 'held' | 'idle' | 'evicted';
              readonly workgroupId: string;
            };
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight, stale_fence, final_gate, delegation_mismatch, lineage_exists, lineage_evicted, inheritance_refused, writer_scope_conflict, nesting_limit, workgroup_full */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description context_refused, private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly planLoading: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          readonly capsuleHash?: string;
          readonly compliance?: {
            readonly enabled: boolean;
            readonly userSource?: string;
          };
          readonly decisions?: {
            readonly architecture: boolean;
            readonly project: boolean;
          };
          readonly delegationEligible?: boolean;
          readonly failure?: {
            readonly artifact?: string;
            readonly summaryResolves: boolean;
          };
          /** @enum {string} */
          readonly output?: 'ephemeral' | 'durable' | 'artifact';
          readonly relayTarget?: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            /** @enum {string} */
            readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
            readonly steps: readonly {
              readonly reason: string;
              readonly reference: string | null;
              readonly resource: string;
            }[];
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readMcpHealth: {
    readonly parameters: {
      readonly query: {
        readonly server: string;
        readonly ttlMinutes?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            /** @enum {string} */
            readonly action: 'use' | 'skip' | 'check';
            /** Format: date-time */
            readonly checkedAt?: string;
            readonly reason: string;
            readonly server: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly reportMcpHealth: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly healthy: boolean;
          readonly server: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          /** @description There where this is what the same request was answered before. */
          readonly 'openwop-Idempotent-Replay'?: 'true';
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            /** @enum {string} */
            readonly action: 'use' | 'skip' | 'check';
            /** Format: date-time */
            readonly checkedAt?: string;
            readonly reason: string;
            readonly server: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description idempotency_key_mismatch, idempotency_in_flight */
      readonly 409: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description payload_too_large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unsupported_media_type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  readonly readOwnedPaths: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly workgroupId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly next?: string;
            readonly paths: readonly {
              /** Format: date-time */
              readonly expiresAt: string;
              readonly fence: number;
              readonly lineageId: string;
              readonly path: string;
              /** @enum {string} */
              readonly phase: '3' | '1A' | '1B' | '2A' | '2B';
              readonly role: string;
            }[];
            readonly workgroupId: string;
          };
        };
      };
      /** @description validation_error */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description unauthenticated, key_expired, key_revoked */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description forbidden */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description not_found */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description private_content */
      readonly 422: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description rate_limited */
      readonly 429: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description internal_error */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
      /** @description service_unavailable */
      readonly 503: {
        headers: {
          readonly 'Retry-After'?: number;
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Error'];
        };
      };
    };
  };
}
