import type { ASTNode } from '@marcbachmann/cel-js';
import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { isLoop } from './expression-limits.js';

/** What a loop over an item costs: a part for each turn, and a part for each unit of the items' size. */
type Linear = { readonly fixed: number; readonly perItem: number };

/** Upper bounds: characters and parts of the value, and of those looked at on the way to it. */
type Estimate = { readonly size: Linear; readonly steps: Linear };

const NOTHING: Linear = { fixed: 0, perItem: 0 };
const ONE: Linear = { fixed: 1, perItem: 0 };
const ENDLESS: Linear = { fixed: Infinity, perItem: Infinity };

const COMPARING: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];
const DECIDING: readonly string[] = ['&&', '||', '!_'];
/** Functions whose value is no longer than a number. */
const MEASURING: readonly string[] = ['size', 'contains', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf'];

/** About as long as the event loop may stand still for one expression: tens of milliseconds. */
const MOST_STEPS = 5_000_000;

/**
 * Whether an expression would look at too much, or make too much, of these values: a list that loops double time and
 * again, a list searched for each item of a list. Decided from the sizes of what it names, so that it is the same for
 * the same values.
 */
export function isTooCostly(ast: ASTNode, roots: JsonObject): boolean {
  const { size, steps } = new CostOf(roots).of(ast);
  return !(size.fixed <= MOST_STEPS && steps.fixed <= MOST_STEPS);
}

class CostOf {
  constructor(
    private readonly roots: JsonObject,
    /** The variable of the loop around. */
    private readonly item?: string,
  ) {}

  of(ast: ASTNode): Estimate {
    const named = this.named(ast);
    if (named) return { size: constant(sizeOf(named.value)), steps: ONE };
    const { op } = ast;
    const args = ast.args as unknown;
    if (op === 'id') return { size: { fixed: 1, perItem: 1 }, steps: ONE };
    if (op === 'value') return { size: constant(sizeOf(args)), steps: ONE };
    if (op === 'rcall') return this.ofMethod(args as readonly [string, ASTNode, readonly ASTNode[]]);
    const parts = this.all(partsOf(args));
    if (COMPARING.includes(op)) return { size: ONE, steps: sum(parts.steps, least(parts.sizes), ONE) };
    if (DECIDING.includes(op)) return { size: ONE, steps: sum(parts.steps, ONE) };
    if (op === '.' || op === '[]') return { size: parts.size, steps: sum(parts.steps, ONE) };
    return ofCall(op === 'call' ? String((args as readonly unknown[])[0]) : op, parts);
  }

  private ofMethod([name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]]): Estimate {
    if (isLoop(name)) return this.ofLoop(name, this.of(receiver), args);
    const parts = this.all([receiver, ...args]);
    if (name !== 'join') return ofCall(name, parts);
    const [list = NOTHING, ...separator] = parts.sizes;
    const size = product(list, sum(ONE, ...separator));
    return { size, steps: sum(parts.steps, size) };
  }

  /** Of all items together each unit is there once, so that what grows with an item grows with the list. */
  private ofLoop(name: string, list: Estimate, [variable, ...body]: readonly ASTNode[]): Estimate {
    if (this.item !== undefined) return { size: ENDLESS, steps: ENDLESS };
    const turns = list.size.fixed;
    const turn = new CostOf(this.roots, variable?.args as string).all(body);
    const ofAll = ({ fixed, perItem }: Linear) => constant(turns * (fixed + perItem));
    const made = name === 'map' ? ofAll(turn.size) : name === 'filter' ? list.size : ONE;
    return { size: made, steps: sum(list.steps, ofAll(turn.steps), constant(turns)) };
  }

  private all(parts: readonly ASTNode[]) {
    const estimates = parts.map((part) => this.of(part));
    const sizes = estimates.map(({ size }) => size);
    return { sizes, size: sum(ONE, ...sizes), steps: sum(...estimates.map(({ steps }) => steps)) };
  }

  /** The value that `inputs.a["b"]` names; absent where only the evaluation tells. */
  private named({ op, args }: ASTNode): { readonly value: unknown } | undefined {
    if (op === 'id') return args === this.item ? undefined : { value: memberOf(this.roots, args) };
    if (op !== '.' && op !== '[]') return undefined;
    const [owner, key] = args as readonly [ASTNode, string | ASTNode];
    const name = typeof key === 'string' ? key : key.op === 'value' ? key.args : undefined;
    const from = name === undefined ? undefined : this.named(owner);
    return from && { value: memberOf(from.value, name) };
  }
}

function ofCall(name: string, parts: { readonly size: Linear; readonly steps: Linear }): Estimate {
  const { size } = parts;
  // A text of digits for its bytes, a list of letters for a text: twice as long.
  return {
    size: MEASURING.includes(name) || name === 'in' ? ONE : sum(size, size),
    steps: sum(parts.steps, size),
  };
}

function memberOf(value: unknown, key: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const name = String(key);
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

/** Nodes in the arguments of an operator, however deep in lists: entries of a map are pairs. */
function partsOf(args: unknown): readonly ASTNode[] {
  if (Array.isArray(args)) return args.flatMap((part: unknown) => partsOf(part));
  return typeof args === 'object' && args !== null && 'op' in args ? [args as ASTNode] : [];
}

/** Characters of a value, and one for each part of it. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length;
  if (value instanceof Uint8Array) return 1 + value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return value.reduce<number>((size, part: JsonValue) => size + sizeOf(part), 1);
  return Object.entries(value).reduce((size, [key, part]) => size + key.length + sizeOf(part), 1);
}

function constant(fixed: number): Linear {
  return { fixed, perItem: 0 };
}

function sum(...parts: readonly Linear[]): Linear {
  return parts.reduce(
    (one, other) => ({
      fixed: one.fixed + other.fixed,
      perItem: one.perItem + other.perItem,
    }),
    NOTHING,
  );
}

function product(one: Linear, other: Linear): Linear {
  if (one.perItem > 0 && other.perItem > 0) return ENDLESS;
  const [varying, steady] = one.perItem > 0 ? [one, other.fixed] : [other, one.fixed];
  return { fixed: varying.fixed * steady, perItem: varying.perItem * steady };
}

/** A comparison ends with the shorter of two. */
function least(sizes: readonly Linear[]): Linear {
  return sizes.reduce((one, other) => (other.fixed < one.fixed ? other : one), ENDLESS);
}
