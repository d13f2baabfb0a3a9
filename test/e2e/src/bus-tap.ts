import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { STREAMS } from '@palimpsest/contracts';

export type TappedMessage = { readonly subject: string; readonly text: string };

/** Listens to everything that is said on a NATS server, JetStream's own talk included. */
export class BusTap {
  readonly messages: TappedMessage[] = [];

  private constructor(private readonly connection: NatsConnection) {
    connection.subscribe('>', {
      callback: (error, message) => {
        if (error) return;
        const headers = [...(message.headers ?? [])].flat(2).join(' ');
        this.messages.push({ subject: message.subject, text: `${headers} ${message.string()}` });
      },
    });
  }

  static async open(url: string): Promise<BusTap> {
    const tap = new BusTap(await connect({ servers: url.replace('nats://', '') }));
    await tap.connection.flush();
    return tap;
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}

/** Ids of the messages that stand in the stream of run events, in its order. */
export async function relayedEventIds(url: string): Promise<readonly string[]> {
  const connection = await connect({ servers: url.replace('nats://', '') });
  try {
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info(STREAMS.runEvents.name);
    const places = Array.from(
      { length: state.messages === 0 ? 0 : state.last_seq - state.first_seq + 1 },
      (_, index) => state.first_seq + index,
    );
    const stored = await Promise.all(
      places.map((seq) => manager.streams.getMessage(STREAMS.runEvents.name, { seq })),
    );
    return stored.map((message) => message?.header.get('Nats-Msg-Id') ?? '(none)');
  } finally {
    await connection.close();
  }
}
