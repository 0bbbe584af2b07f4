import fc from "fast-check";
import { expect, test } from "vitest";
import {
  healthVerdict,
  nextStep,
  type RolloutPlan,
  type RolloutProgress,
} from "../../../src/domain/rollouts/next-step.ts";
import {
  hasEnded,
  type RolloutState,
  type TargetState,
} from "../../../src/domain/rollouts/rollouts.ts";
import { size } from "../../helpers/size.ts";

test.each([
  ["HEALTHY", 101, 150, "healthy"],
  ["HEALTHY", 100, 150, "healthy"],
  ["HEALTHY", 99, 150, "open"],
  ["HEALTHY", 99, 200, "late"],
  ["UNHEALTHY", 150, 199, "open"],
  ["UNHEALTHY", 150, 200, "late"],
  [null, null, 101, "late"],
] as const)(
  "a service that is %s, reported at %s, is judged at %i: %s",
  (status, lastReportedAt, now, verdict) => {
    expect(healthVerdict({ endedAt: 100, status, lastReportedAt }, 100, now)).toBe(verdict);
  },
);

/** A rollout as the database stores it, with commands that end when the history says so. */
class Simulation {
  state: RolloutState = "RUNNING";
  wave = 0;
  waveEndedAt: number | null = null;
  now = 0;
  isOffline = false;
  readonly targets: { wave: number; state: TargetState; starts: number }[];
  /** Descriptions of the wrong steps that the rollout took. */
  readonly mistakes: string[] = [];
  readonly plan: RolloutPlan;

  constructor(plan: RolloutPlan) {
    this.plan = plan;
    this.targets = plan.waves.flatMap((size, wave) =>
      Array.from({ length: size }, () => ({ wave, state: "WAITING" as TargetState, starts: 0 })),
    );
  }

  count(...states: TargetState[]): number {
    return this.targets.filter(({ state }) => states.includes(state)).length;
  }

  progress(): RolloutProgress {
    const { wave, waveEndedAt } = this;
    const waiting = this.targets.filter((each) => each.state === "WAITING" && each.wave === wave);
    const open = this.count("RUNNING", "CHECKING");
    const ended = { failed: this.count("FAILED"), notRun: this.count("NOT_RUN") };
    return { wave, waveEndedAt, waiting: waiting.length, open, ...ended };
  }

  /** Does up to `most` steps, because a crash can follow any of them. */
  advance(most: number): void {
    for (let done = 0; done < most && this.state === "RUNNING"; done++) {
      const step = nextStep(this.plan, this.progress(), this.now);
      if (step.kind === "wait") return;
      if (step.kind === "recordWaveEnd") this.waveEndedAt = this.now;
      else if (step.kind === "nextWave") {
        if (this.progress().waiting > 0 || this.progress().open > 0)
          this.mistakes.push("wave not done");
        this.wave++;
        this.waveEndedAt = null;
        if (step.pause) this.state = "PAUSED";
      } else if (step.kind === "end") {
        this.state = step.state;
        for (const target of this.targets) if (target.state === "WAITING") target.state = "NOT_RUN";
      } else {
        // Starts one command at a time, as if the rest had to wait for the next transaction.
        const next = this.targets.find(
          ({ state, wave }) => state === "WAITING" && wave === this.wave,
        );
        if (!next) this.mistakes.push("started a target that is not there");
        else {
          // If the agent is offline in its turn, the target does not run.
          next.state = this.isOffline ? "NOT_RUN" : "RUNNING";
          if (!this.isOffline) next.starts++;
        }
      }
      if (this.count("FAILED") > this.plan.maxFailures && this.state === "RUNNING") {
        const after = nextStep(this.plan, this.progress(), this.now);
        if (after.kind !== "end") this.mistakes.push("continued after too many failures");
      }
    }
  }
}

const planOf = fc.record({
  waves: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
  maxParallel: fc.integer({ min: 1, max: 5 }),
  maxFailures: fc.integer({ min: 0, max: 4 }),
  between: fc.constantFrom("continue" as const, "pause" as const, { waitMs: 10 }),
  deadlineAt: fc.option(fc.integer({ min: 1, max: 200 }), { freq: 5 }),
});

const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("succeed" as const), at: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("fail" as const), at: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("check" as const), at: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pass" as const), at: fc.nat(15) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "pause" as const,
        "resume" as const,
        "offline" as const,
        "online" as const,
      ),
      at: fc.nat(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const), at: fc.nat(3) }) },
);

function happen(simulation: Simulation, { kind, at }: { kind: string; at: number }): void {
  const running = simulation.targets.filter(
    ({ state }) => state === "RUNNING" || state === "CHECKING",
  );
  const target = running[at % Math.max(1, running.length)];
  if (kind === "succeed" && target) target.state = "SUCCEEDED";
  if (kind === "fail" && target) target.state = "FAILED";
  if (kind === "check" && target) target.state = "CHECKING";
  if (kind === "pass") simulation.now += at;
  if (kind === "offline") simulation.isOffline = true;
  if (kind === "online") simulation.isOffline = false;
  if (kind === "pause" && simulation.state === "RUNNING") simulation.state = "PAUSED";
  if (kind === "resume" && simulation.state === "PAUSED") simulation.state = "RUNNING";
}

const histories = size(150, 10_000);

test(`in ${histories} histories, no rule of a rollout is broken, and each one ends`, () => {
  const history = fc.tuple(
    planOf,
    fc.array(event, { maxLength: 60 }),
    fc.option(fc.nat(60), { freq: 4 }),
  );
  fc.assert(
    fc.property(history, ([plan, events, cancelledAfter]) => {
      const simulation = new Simulation(plan);
      const check = () => {
        expect(simulation.mistakes).toEqual([]);
        expect(simulation.count("RUNNING", "CHECKING")).toBeLessThanOrEqual(plan.maxParallel);
        expect(simulation.targets.every(({ starts }) => starts <= 1)).toBe(true);
      };
      for (const [index, one] of events.entries()) {
        const before = simulation.targets.filter(({ starts }) => starts > 0).length;
        const wasActive = simulation.state === "RUNNING";
        if (index === cancelledAfter && !hasEnded(simulation.state)) simulation.state = "CANCELLED";
        happen(simulation, one);
        const isActive = simulation.state === "RUNNING";
        simulation.advance(one.kind === "crash" ? one.at : Infinity);
        if (!isActive && !wasActive) {
          expect(simulation.targets.filter(({ starts }) => starts > 0)).toHaveLength(before);
        }
        check();
      }
      // From now on every command ends, operators resume, and time passes.
      for (let round = 0; round < 200 && !hasEnded(simulation.state); round++) {
        happen(simulation, { kind: "resume", at: 0 });
        happen(simulation, { kind: "succeed", at: 0 });
        happen(simulation, { kind: "pass", at: 10 });
        simulation.advance(Infinity);
        check();
      }
      expect(hasEnded(simulation.state)).toBe(true);
      if (simulation.state === "SUCCEEDED") {
        expect(simulation.count("WAITING", "RUNNING", "CHECKING")).toBe(0);
        expect(simulation.count("FAILED", "NOT_RUN")).toBeLessThanOrEqual(plan.maxFailures);
      }
    }),
    { numRuns: histories },
  );
});
