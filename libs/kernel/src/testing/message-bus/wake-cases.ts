import type { JsonValue } from '@palimpsest/contracts';
import { waitUntil } from '../wait-until.js';
import { fast, Gate, subjectIn, type OpenBusCase } from './harness.js';

export function wakeCases(open: OpenBusCase): void {
  it('wakes every listener of the subject, here and elsewhere', async () => {
    const { bus, peer, subject } = open();
    const seen: [string, JsonValue, string][] = [];
    await bus.listen(subject('wake.a'), (body, on) => void seen.push(['bus', body, on]));
    await peer.listen(subject('wake.a'), (body, on) => void seen.push(['peer', body, on]));
    bus.notify(subject('wake.a'), { n: 1 });
    await waitUntil(() => seen.length === 2);
    expect(seen.sort()).toEqual([
      ['bus', { n: 1 }, subject('wake.a')],
      ['peer', { n: 1 }, subject('wake.a')],
    ]);
  });

  it('takes a subject that ends in a wildcard', async () => {
    const { bus, peer, subject } = open();
    const seen: string[] = [];
    await peer.listen(`${subject('wake')}.>`, (_, on) => void seen.push(on));
    const told = ['wake', 'wakeful', 'other.wake.a', 'wake.a', 'wake.a.b'].map(subject);
    for (const on of told) bus.notify(on, null);
    await waitUntil(() => seen.length >= 2);
    expect(seen).toEqual([subject('wake.a'), subject('wake.a.b')]);
  });

  it('goes on before any listener is called', async () => {
    const { bus, subject } = open();
    let isCalled = false;
    await bus.listen(subject('wake'), () => {
      isCalled = true;
    });
    bus.notify(subject('wake'), null);
    expect(isCalled).toBe(false);
    await waitUntil(() => isCalled);
  });

  it('leaves a closed listener alone, and the others awake', async () => {
    const { bus, peer, subject } = open();
    const seen: string[] = [];
    const first = await peer.listen(subject('wake'), () => void seen.push('first'));
    await peer.listen(subject('wake'), () => void seen.push('second'));
    bus.notify(subject('wake'), null);
    await waitUntil(() => seen.length === 2);
    await first.close();
    bus.notify(subject('wake'), null);
    await waitUntil(() => seen.length >= 3);
    expect(seen.filter((name) => name === 'first')).toHaveLength(1);
  });

  it('survives a listener that throws', async () => {
    const { bus, subject } = open();
    let calls = 0;
    await bus.listen(subject('wake'), () => {
      calls += 1;
      throw new TypeError('listener');
    });
    bus.notify(subject('wake'), null);
    bus.notify(subject('wake'), null);
    await waitUntil(() => calls === 2);
    expect(bus.isConnected()).toBe(true);
  });
}

export function closingCases(open: OpenBusCase): void {
  it('refuses what comes after it was closed, and can be closed again', async () => {
    const { bus, peer, stream: make, subject } = open();
    const stream = make('work');
    expect(bus.isConnected()).toBe(true);
    await bus.close();
    await bus.close();
    await peer.close();
    expect(bus.isConnected()).toBe(false);
    await expect(bus.request(subject('x'), 1)).rejects.toMatchObject({ code: 'service_unavailable' });
    const publishing = bus.publish(stream, { id: 'a', subject: subjectIn(stream, 'x'), body: 1 });
    await expect(publishing).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('answers the request in hand before it closes', async () => {
    const { bus, peer, subject } = open();
    const gate = new Gate();
    const entered = new Gate();
    await peer.respond(subject('last'), 'q', async () => {
      entered.open();
      await gate.opened;
      return 'done';
    });
    const waiting = bus.request(subject('last'), 1);
    await entered.opened;
    const closing = peer.close();
    gate.open();
    expect(await waiting).toBe('done');
    await closing;
  });

  it('lets a handler ask others while the bus closes', async () => {
    const { bus, peer, stream: make, subject } = open();
    const stream = make('work');
    const gate = new Gate();
    const entered = new Gate();
    let answer: JsonValue = null;
    await bus.respond(subject('help'), 'q', async () => 'helped');
    await peer.consume(fast(stream), async () => {
      entered.open();
      await gate.opened;
      answer = await peer.request(subject('help'), 1);
    });
    await bus.publish(stream, { id: 'a', subject: subjectIn(stream, 'x'), body: 1 });
    await entered.opened;
    const closing = peer.close();
    gate.open();
    await closing;
    expect(answer).toBe('helped');
  });
}
