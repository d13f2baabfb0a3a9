import { instantOf } from '@palimpsest/context-efficiency';
import type { WorkgroupEvent } from '../domain/workgroup/workgroup-events.js';

type Holding = { readonly fence: number; readonly until: number };

/** Who holds what by the events alone, beside the state that is tested; and what must not have happened. */
export class Holders {
  readonly lineages = new Map<string, Holding>();
  readonly violations: string[] = [];
  #seat: Holding | undefined;
  #greatest = 0;

  note(event: WorkgroupEvent): void {
    switch (event.type) {
      case 'palimpsest.workgroup.seat_taken':
        return this.#taken(event.payload);
      case 'palimpsest.lineage.registered':
        return this.#granted(event.lineageId, event.payload.fence, event.payload.record.lease_expires_at);
      case 'palimpsest.lineage.resumed':
        return this.#granted(event.lineageId, event.payload.fence, event.payload.expiresAt);
      case 'palimpsest.lineage.renewed':
        this.lineages.set(event.lineageId, holding(event.payload.fence, event.payload.expiresAt));
        return;
      case 'palimpsest.lineage.released':
      case 'palimpsest.lineage.evicted':
        this.lineages.delete(event.lineageId);
        return;
      default:
    }
  }

  /** Whether a fence holds a lineage, or the seat where none is named, at a time. */
  holds({ lineageId, fence }: { readonly lineageId?: string; readonly fence: number }, now: number): boolean {
    const held = lineageId === undefined ? this.#seat : this.lineages.get(lineageId);
    return held !== undefined && held.fence === fence && now < held.until;
  }

  #taken({ fence, expiresAt }: { readonly fence: number; readonly expiresAt: string }): void {
    if (fence !== this.#seat?.fence) this.#next(fence);
    this.#seat = holding(fence, expiresAt);
  }

  #granted(lineageId: string, fence: number, expiresAt: string | null): void {
    if (this.lineages.has(lineageId)) this.violations.push(`${lineageId} has two holders`);
    this.#next(fence);
    this.lineages.set(lineageId, holding(fence, expiresAt));
  }

  #next(fence: number): void {
    if (fence <= this.#greatest) this.violations.push(`fence ${fence} after ${this.#greatest}`);
    this.#greatest = fence;
  }
}

function holding(fence: number, expiresAt: string | null): Holding {
  return { fence, until: instantOf(expiresAt) ?? -Infinity };
}
